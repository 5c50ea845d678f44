/**
 * Matches the orders, accounts and customers of two recordings: by identifier, else by equal history, else by
 * position and similarity.
 */
import { align } from './align.ts'
import type { ComparedUnit } from './compared-units.ts'

interface Entity {
  readonly name: string
  readonly kind: string
  /** Names and contents of its exchanges, in order. */
  readonly story: readonly string[]
  readonly said: ReadonlySet<string>
}

/** Maximum number of exchanges of a history. */
const maxHistory = 40

function entitiesIn(units: readonly ComparedUnit[]): readonly Entity[] {
  const found = new Map<string, string[]>()
  for (const { entity, name, content } of units) {
    if (entity === '') continue
    const story = found.get(entity) ?? []
    found.set(entity, story)
    if (story.length < maxHistory) story.push(`${name} ${content}`)
  }
  return Array.from(found, ([name, story]) => ({
    name,
    kind: name.split(':', 1)[0] ?? '',
    story,
    said: new Set(story),
  }))
}

/** Similarity of two histories, from 0 to 1. */
function similarity(left: Entity, right: Entity): number {
  if (left.kind !== right.kind) return 0
  const common = left.story.filter((each) => right.said.has(each)).length
  return common / Math.max(left.story.length, right.story.length, 1)
}

/** The recorded identifier of every matched live entity. */
export function matchEntities(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
): ReadonlyMap<string, string> {
  const matched = new Map<string, string>()
  const lefts = new Map(entitiesIn(recorded).map((each) => [each.name, each]))
  const rights = new Map(entitiesIn(live).map((each) => [each.name, each]))
  const pair = (left: Entity, right: Entity): void => {
    matched.set(right.name, left.name)
    lefts.delete(left.name)
    rights.delete(right.name)
  }
  for (const right of rights.values()) {
    const left = lefts.get(right.name)
    if (left) pair(left, right)
  }
  const byStory = Map.groupBy(lefts.values(), ({ kind, story }) => [kind, ...story].join('\n'))
  for (const right of rights.values()) {
    const left = byStory.get([right.kind, ...right.story].join('\n'))?.shift()
    if (left) pair(left, right)
  }
  const [a, b] = [[...lefts.values()], [...rights.values()]]
  const rest = align({
    left: a.length,
    right: b.length,
    score(row, column) {
      const [left, right] = [a[row], b[column]]
      // Entities of one kind at the same position may be paired even with different histories.
      return left && right && left.kind === right.kind ? 0.1 + similarity(left, right) : 0
    },
    best: 2,
  })
  for (const each of rest) {
    const left = each.left === undefined ? undefined : a[each.left]
    const right = each.right === undefined ? undefined : b[each.right]
    if (left && right) pair(left, right)
  }
  return matched
}
