/** A line for each answer from the recording, and for each exchange that was sent: what it was, and why it came so. */
import type { Replayed } from '../../traffic/replay/status.ts'
import { headOf, isTrouble, troubleLines } from '../compare/words.ts'
import { plain } from '../table.ts'

export function answerLine(replayed: Replayed): string {
  const { rung, standing, live, because } = replayed
  const status = live?.reply?.status ?? live?.failure?.code ?? 'no answer'
  const [why] = isTrouble(replayed)
    ? troubleLines(replayed)
    : because === undefined
      ? []
      : [because]
  return plain(
    [
      (rung ?? standing).padEnd(7),
      headOf(replayed),
      status,
      ...(why === undefined ? [] : [why]),
    ].join('  '),
  )
}
