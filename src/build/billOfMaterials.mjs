/**
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} [scope]
 */

/**
 * @typedef {object} BillOfMaterials of npm, in the format CycloneDX
 * @property {string} [serialNumber]
 * @property {{ timestamp?: string, component: { name: string, description?: string } }} metadata
 * @property {Component[]} components
 */

/**
 * For npm all packages are there for development only, because everything is bundled. This says which are in the extension
 * (`required`) and which only made or tested it (`excluded`), and nothing of when and in which folder it was written.
 *
 * @param {BillOfMaterials} written by npm
 * @param {readonly import('./bundled.mjs').BundledPackage[]} bundled
 * @param {string} extension its name
 * @returns {BillOfMaterials}
 */
export function billOfMaterials(written, bundled, extension) {
  const inside = new Set(bundled.map(({ name, version }) => `${name}@${version}`));
  const components = written.components.map((each) => ({ ...each, scope: inside.has(each['bom-ref']) ? 'required' : 'excluded' }));
  const unknown = [...inside].filter((name) => !components.some((each) => each['bom-ref'] === name));
  if (unknown.length > 0) {
    throw new Error(`npm does not know what is in the extension: ${unknown.join(', ')}.`);
  }
  const { metadata } = written;
  const component = { ...metadata.component, name: extension };
  delete component.description; // a key of package.nls.json
  const bill = { ...written, metadata: { ...metadata, component }, components };
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  return bill;
}
