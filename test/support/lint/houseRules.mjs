/** Rules of the linter that are of this house alone. */

const limitWithAnotherName =
  ':matches(VariableDeclarator, PropertyDefinition, TSPropertySignature, Property) > Identifier[name=/^(most|longest|largest|deepest)[A-Z]/]';

/** @type {Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]} */
const limitNames = {
  create: (context) => ({ [limitWithAnotherName]: (node) => context.report({ node, message: 'A limit is called max….' }) }),
};

export default { meta: { name: 'house' }, rules: { 'limit-names': limitNames } };
