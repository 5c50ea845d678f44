/** Orders lanes by how much they have in common with one: rare values of bodies that occur in both. */
import { tryParseJson } from '../json/try-parse-json.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

/** In characters: shorter values are shared by coincidence. */
const minValueChars = 4
const maxDepth = 50

function collectTexts(value: unknown, into: Set<string>, depth = 0): void {
  if (depth > maxDepth) return
  if (typeof value === 'string') {
    if (value.length >= minValueChars) into.add(value)
  } else if (Array.isArray(value)) for (const each of value) collectTexts(each, into, depth + 1)
  else if (isUnknownRecord(value))
    for (const each of Object.values(value)) collectTexts(each, into, depth + 1)
}

/** Score of every other lane that shares an exchange, or a value with few: the rarer the value, the more it counts. */
export function laneAffinity(
  exchanges: readonly RecordedExchange[],
  lanesOf: (exchange: RecordedExchange) => readonly string[],
  lane: string,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  const textsByLane = new Map<string, Set<string>>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    const [only] = lanes
    // An exchange about several lanes relates them, and does not tell whose a value is.
    if (lanes.length > 1 && lanes.includes(lane))
      for (const other of lanes) scores.set(other, (scores.get(other) ?? 0) + 1)
    if (only === undefined || lanes.length > 1) continue
    const texts = textsByLane.get(only) ?? new Set<string>()
    textsByLane.set(only, texts)
    for (const body of [exchange.request.body, exchange.reply?.body])
      collectTexts(tryParseJson(body), texts)
  }
  const counts = new Map<string, number>()
  for (const texts of textsByLane.values())
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const own = textsByLane.get(lane) ?? new Set<string>()
  for (const [other, texts] of textsByLane) {
    if (other === lane) continue
    let score = scores.get(other) ?? 0
    for (const text of texts) {
      const count = counts.get(text) ?? 0
      if (own.has(text) && count * 2 <= textsByLane.size) score += 1 / count
    }
    if (score > 0) scores.set(other, score)
  }
  scores.delete(lane)
  return scores
}
