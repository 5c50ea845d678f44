/** The numbers in values that are equal on both sides: they tell whether a counter that differs elsewhere jumped. */
import type { Exchange } from '../../exchange.ts'
import { escapePointerKey } from '../../json/json-pointer.ts'
import { replyDocument, requestDocument } from '../document.ts'
import { isList } from '../json.ts'
import { bareSeriesName } from './place-name.ts'
import { type SeriesNumber, seriesNumbers } from './volatile-part.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'

interface ExchangePair {
  readonly recorded: Exchange
  readonly live: Exchange
}

const maxLeaves = 20_000

/** The equal leaves at equal places of two documents. */
function* equalLeaves(
  recorded: unknown,
  live: unknown,
): Generator<{ where: string; value: unknown }> {
  const open: (readonly [unknown, unknown, string])[] = [[recorded, live, '']]
  for (let count = 0; count < maxLeaves; count++) {
    const [left, right, where] = open.pop() ?? [undefined, undefined, undefined]
    if (where === undefined) return
    if (isList(left) && isList(right))
      for (const [index, each] of left.entries())
        open.push([each, right[index], `${where}/${index}`])
    else if (isUnknownRecord(left) && isUnknownRecord(right)) {
      for (const key of Object.keys(left))
        if (Object.hasOwn(right, key))
          open.push([left[key], right[key], `${where}/${escapePointerKey(key)}`])
    } else if (left === right) yield { where, value: left }
  }
}

export function* unchangedNumbers({ recorded, live }: ExchangePair): Generator<SeriesNumber> {
  const { operation } = recorded
  for (const documentOf of [requestDocument, replyDocument])
    for (const { where, value } of equalLeaves(documentOf(recorded), documentOf(live)))
      yield* seriesNumbers(value, bareSeriesName(where, operation))
}
