import * as z from 'zod';

/** What a button on the doctor's page can do: each does the same as a command. */
export const doctorAction = z.enum(['start', 'restart', 'showLog', 'openDefinition', 'addServer', 'managePermissions', 'manageTrust']);
export type DoctorAction = z.infer<typeof doctorAction>;

const finding = z.object({
  /** Unique in the report. */
  id: z.string(),
  severity: z.enum(['good', 'note', 'warning', 'error']),
  /** What it is about, in a name that people know. */
  name: z.string().optional(),
  text: z.string(),
  /** What a log says, word for word. */
  evidence: z.string().optional(),
  advice: z.string().optional(),
  actions: z.array(z.object({ action: doctorAction, label: z.string() })),
});
export type DoctorFinding = z.infer<typeof finding>;

export const doctorReport = z.object({
  summary: z.string(),
  sections: z.array(z.object({ title: z.string(), findings: z.array(finding) })),
});
export type DoctorReport = z.infer<typeof doctorReport>;

/** The messages from the doctor's page to the extension host. They are intents, and count only where the report offered them. */
export const doctorToHost = {
  ready: z.object({}),
  'doctor/act': z.object({ finding: z.string().max(1_000), action: doctorAction }),
  'doctor/copy': z.object({}),
} as const;

export const doctorToView = {
  'doctor/report': doctorReport,
} as const;
