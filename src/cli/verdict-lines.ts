/** Log lines of verdicts: each broken invariant once, as soon as it breaks, and a summary at the end. */
import { clockOf } from '../engine/instant.ts'
import {
  groupedByCause,
  isAdviceVerdict,
  type VerdictOutcome,
  type Verdict,
} from '../invariants/verdict.ts'
import type { SessionApi } from '../session-api/session-api.ts'
import { type Io, printLine } from './io.ts'
import { escapeControls } from '../traffic/escape-controls.ts'

/** Interval between two evaluations, since each asks every invariant. */
const intervalMs = 1000

/** `ORD-GEN-02, ORD-EVR-01; #12, #19`: the clauses, and the exchanges that are the evidence. */
export function clausesAndEvidence({ clauses, findings }: Verdict): string {
  const [first] = findings
  const shown = first?.evidence.map(({ seq }) => `#${seq}`).join(', ') ?? ''
  return [clauses.join(', '), shown].filter((part) => part !== '').join('; ')
}

/** The line of a broken or inconclusive verdict. */
export function brokenVerdictLine(verdict: Verdict): string {
  const { id, sentence, outcome, findings } = verdict
  const because = (findings[0]?.because ?? sentence).replace(/\.$/, '')
  const advice = isAdviceVerdict(verdict) ? ' (advice: no correct partner does that)' : ''
  return escapeControls(`${id} is ${outcome}${advice}: ${because} (${clausesAndEvidence(verdict)})`)
}

const count = (verdicts: readonly Verdict[], outcome: VerdictOutcome): number =>
  verdicts.filter((each) => each.outcome === outcome).length

/** `12 held, 2 broken, 36 untested, 3 open`. */
export function formatOutcomeCounts(verdicts: readonly Verdict[]): string {
  const open = count(verdicts, 'open')
  const inconclusive = count(verdicts, 'inconclusive')
  return [
    `${count(verdicts, 'held')} held`,
    `${count(verdicts, 'broken')} broken`,
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
    `${count(verdicts, 'untested')} untested`,
    ...(open > 0 ? [`${open} open`] : []),
  ].join(', ')
}

/** Names the first cause of a verdict that follows another. */
export const causeText = ({ follows }: Verdict): string =>
  follows === undefined ? '' : `, with ${follows}, which broke first`

export function verdictSummaryLines(verdicts: readonly Verdict[]): readonly string[] {
  if (verdicts.length === 0) return []
  const shown = (['broken', 'inconclusive'] as const).flatMap((wanted) =>
    groupedByCause(verdicts.filter(({ outcome }) => outcome === wanted)),
  )
  return [
    `verdicts  ${formatOutcomeCounts(verdicts)}`,
    ...shown.flatMap((verdict) => {
      const { outcome } = verdict
      const times = outcome === 'broken' ? verdict.broken : verdict.inconclusive
      const more = times > 1 ? ` (${times} times)` : ''
      return [
        `${outcome.padEnd(9)} ${escapeControls(verdict.sentence)}${more}`,
        `          ${brokenVerdictLine(verdict)}${causeText(verdict)}`,
      ]
    }),
  ]
}

type WatchedSession = Pick<SessionApi, 'look' | 'subscribe'>

interface OutputOptions {
  readonly json?: true
}

/** Reports each invariant once when it breaks, while the session runs. */
export function reportBrokenVerdicts(
  face: WatchedSession,
  { json }: OutputOptions,
  io: Io,
): Disposable {
  const reported = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const { verdicts, info } = await face.look({ verdicts: true })
    const fresh = verdicts.filter(({ id, outcome }) => outcome === 'broken' && !reported.has(id))
    for (const verdict of fresh) {
      reported.add(verdict.id)
      const { findings } = verdict
      const at = clockOf(findings[0]?.at ?? info.clock.now)
      const line = json
        ? JSON.stringify({ verdict })
        : `${at}  ${'verdict'.padEnd(8)}  ${brokenVerdictLine(verdict)}`
      await printLine(io.stdout, line)
    }
  }

  const unsubscribe = face.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      void check()
    }, intervalMs)
    timer.unref()
  })
  return {
    [Symbol.dispose]: () => {
      unsubscribe()
      clearTimeout(timer)
    },
  }
}

/** Prints all verdicts when the session is stopped. */
export async function printVerdictSummary(
  face: WatchedSession,
  { json }: OutputOptions,
  io: Io,
): Promise<void> {
  const { verdicts } = await face.look({ verdicts: true })
  if (verdicts.length === 0) return
  const lines = json ? [JSON.stringify({ verdicts })] : verdictSummaryLines(verdicts)
  await printLine(io.stdout, lines.join('\n'))
}
