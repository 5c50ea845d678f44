/** Words of Indoor that several checks need: its operations, and the legacy labels that are written no more. */
import { indoorOperations } from '../../../protocol/indoor/operations.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'

/** The operations that the Software Service hosts. */
export const hostOperations = indoorOperations.flatMap(({ id }) =>
  id === 'receiveAccountEvent' ? [] : [id],
)

const legacyLabels: ReadonlySet<unknown> = new Set([
  'MESA',
  'COMANDA',
  'BALCAO',
  'CONSUMIR_NO_LOCAL',
  'LEVAR',
])

/** The members whose values legacy labels were: free texts may well say "mesa". */
const labelled: ReadonlySet<string> = new Set(['operationMode', 'consumptionType', 'mode', 'type'])

function legacyLabelIn(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    for (const entry of value) {
      const found = legacyLabelIn(entry)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isUnknownRecord(value)) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (labelled.has(name) && legacyLabels.has(member)) return `${name} is ${String(member)}`
    const found = legacyLabelIn(member)
    if (found !== undefined) return found
  }
  return undefined
}

/** No member has a legacy label for its value. */
export function isLegacyFree(value: unknown): string | undefined {
  const found = legacyLabelIn(value)
  return found === undefined ? undefined : `${found}, a legacy label`
}
