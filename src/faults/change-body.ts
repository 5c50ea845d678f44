/** What a fault makes of a JSON body on its way. Pure: the same text and the same change give the same text. */
import { createChance } from '../engine/chance.ts'
import type { BodyChange } from '../engine/faults/distortion.ts'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same values in another order, which goes by the draw alone. */
function shuffled(list: readonly unknown[], draw: number): readonly unknown[] {
  const chance = createChance(draw, 'shuffle')
  const rest = [...list]
  return list.map(() => rest.splice(chance.below(rest.length), 1)[0])
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields beside those that are there: none of the receiver's own is written over. */
const widened = (value: unknown, fields: Readonly<Record<string, unknown>>): unknown =>
  isObject(value) ? { ...fields, ...value } : value

function changedList(
  list: readonly unknown[],
  change: Exclude<BodyChange, { kind: 'text' }>,
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
      return list.map((each) => widened(each, change.fields))
    default:
      change satisfies never
      return list
  }
}

/** A text that is no JSON, or no list where a list is meant, stays as it is. */
export function changeBody(text: string, change: BodyChange): string {
  if (change.kind === 'text') return change.body
  const value = parsed(text)
  if (Array.isArray(value)) return JSON.stringify(changedList(value, change))
  return change.kind === 'add' && isObject(value)
    ? JSON.stringify(widened(value, change.fields))
    : text
}
