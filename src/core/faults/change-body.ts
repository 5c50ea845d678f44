/** Applies a `BodyChange` to a JSON body. Pure: the same text and change give the same result. */
import { createChance } from '../engine/chance.ts'
import { type BodyFormName, bodyForms } from './rewrite-body.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type { BodyChange } from '../engine/faults/distortion.ts'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Shuffles a list; the order depends on the draw alone. */
function shuffled(list: readonly unknown[], draw: number): readonly unknown[] {
  const chance = createChance(draw, 'shuffle')
  const rest = [...list]
  return list.map(() => rest.splice(chance.below(rest.length), 1)[0])
}

/** Adds fields; existing ones are not overwritten. */
const withFields = (value: unknown, fields: Readonly<Record<string, unknown>>): unknown =>
  isUnknownRecord(value) ? { ...fields, ...value } : value

function changedList(
  list: readonly unknown[],
  change: Exclude<BodyChange, { kind: 'text' | 'form' }>,
): readonly unknown[] {
  switch (change.kind) {
    case 'reverse':
      return list.toReversed()
    case 'shuffle':
      return shuffled(list, change.draw)
    case 'first':
      return list.slice(0, Math.max(0, change.most))
    case 'repeat':
      return Array.from({ length: 1 + change.copies }, () => list).flat()
    case 'add':
      return list.map((each) => withFields(each, change.fields))
    default:
      change satisfies never
      return list
  }
}

/** Text that is not JSON, or not a list where one is required, stays unchanged. */
export function changeBody(text: string, change: BodyChange): string {
  if (change.kind === 'text') return change.body
  const value = parseJson(text)
  if (change.kind === 'form') {
    const { form, draw } = change
    return value === undefined ? text : bodyForms[form as BodyFormName].rewrite(text, draw)
  }
  if (Array.isArray(value)) return JSON.stringify(changedList(value, change))
  return change.kind === 'add' && isUnknownRecord(value)
    ? JSON.stringify(withFields(value, change.fields))
    : text
}
