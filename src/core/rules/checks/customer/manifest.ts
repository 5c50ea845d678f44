/** What the manifest of a service says about Customer, in either notation (DIS-TEN-01), whether it is valid or not. */
import type { UnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Observed, Trace } from '../trace.ts'
import { capabilitiesIn } from '../transport/manifests.ts'

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The extensions of all capabilities. */
export const extensionsIn = (manifest: unknown): readonly string[] =>
  capabilitiesIn(manifest).flatMap(({ block }) => textsIn(block['extensions']))

export const customerBlockIn = (manifest: unknown): UnknownRecord | undefined =>
  capabilitiesIn(manifest).find(({ name }) => name === 'customer')?.block

/** Fields in which partners say push and pull: the documents name none (CUS-UND-01). */
const modeFields = ['integrationModes', 'integrationMode', 'modes', 'mode']

/** The declared modes as push and pull; undefined when none is declared. */
export function integrationModes(manifest: unknown): readonly string[] | undefined {
  const block = customerBlockIn(manifest)
  if (!block) return undefined
  for (const field of modeFields) {
    const value = block[field]
    const modes = typeof value === 'string' ? [value] : textsIn(value)
    if (modes.length > 0) return modes.includes('hybrid') ? ['push', 'pull'] : modes
  }
  return undefined
}

/** Every manifest that the service has shown. */
export const manifestsShown = (trace: Trace): readonly Observed[] =>
  trace.answers('getManifest').filter(({ status }) => status === 200)

/** The manifests that a step has read. */
export const manifestsAt = (trace: Trace, step: string): readonly Observed[] =>
  trace.at(step).filter(({ operation, status }) => operation === 'getManifest' && status === 200)
