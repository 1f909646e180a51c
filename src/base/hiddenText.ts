/** Stands for a character that is withheld. Unicode gives it to no text, so nobody finds what it stands for by looking for it. */
export const hiddenCharacter = '\uFFFF';
