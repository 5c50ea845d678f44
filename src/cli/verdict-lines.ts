/** Log lines of verdicts: each failed rule once, as soon as it fails, and a summary at the end. */
import { clockOf, type Instant } from '../engine/instant.ts'
import {
  contractRuleId,
  groupedByCause,
  isAdviceVerdict,
  type VerdictOutcome,
  type Verdict,
} from '../invariants/verdict.ts'
import type { SessionApi } from '../session-api/session-api.ts'
import { type Io, printLine } from './io.ts'
import { escapeControls } from '../traffic/escape-controls.ts'
import { failedRequestsText } from '../traffic/failed-requests.ts'

/** Interval between two evaluations, since each asks every invariant. */
const intervalMs = 1000

/** `ORD-GEN-02, ORD-EVR-01; #12, #19`: the clauses, and the exchanges that are the evidence. */
export function clausesAndEvidence({ clauses, findings }: Verdict): string {
  const [first] = findings
  const shown = first?.evidence.map(({ seq }) => `#${seq}`).join(', ') ?? ''
  return [clauses.join(', '), shown].filter((part) => part !== '').join('; ')
}

/** The line of a failed or inconclusive verdict. */
export function failedVerdictLine(verdict: Verdict): string {
  const { id, sentence, outcome, findings } = verdict
  const because = (findings[0]?.because ?? sentence).replace(/\.$/, '')
  const advice = isAdviceVerdict(verdict)
    ? ` (advice: ${verdict.adviceMeaning ?? 'no correct partner does that'})`
    : ''
  const result = outcome === 'failed' ? outcome : `is ${outcome}`
  return escapeControls(`${id} ${result}${advice}: ${because} (${clausesAndEvidence(verdict)})`)
}

const count = (verdicts: readonly Verdict[], outcome: VerdictOutcome): number =>
  verdicts.filter((each) => each.outcome === outcome).length

/** `12 passed, 2 failed, 36 not exercised, 3 open`. */
export function formatOutcomeCounts(verdicts: readonly Verdict[]): string {
  const open = count(verdicts, 'open')
  const inconclusive = count(verdicts, 'inconclusive')
  return [
    `${count(verdicts, 'passed')} passed`,
    `${count(verdicts, 'failed')} failed`,
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
    `${count(verdicts, 'not-exercised')} not exercised`,
    ...(open > 0 ? [`${open} open`] : []),
  ].join(', ')
}

/** Names the first cause of a verdict that follows another. */
export const causeText = ({ follows }: Verdict): string =>
  follows === undefined ? '' : `, with ${follows}, which failed first`

/** Findings of a contract say different things, so that each is listed. */
const otherFindingLines = ({ id, findings }: Verdict): readonly string[] =>
  id === contractRuleId
    ? findings.slice(1).map(({ because, advice }) => {
        const word = advice ? 'advice: ' : ''
        return `          ${word}${escapeControls(because)}`
      })
    : []

export function verdictSummaryLines(verdicts: readonly Verdict[]): readonly string[] {
  if (verdicts.length === 0) return []
  const shown = (['failed', 'inconclusive'] as const).flatMap((wanted) =>
    groupedByCause(verdicts.filter(({ outcome }) => outcome === wanted)),
  )
  return [
    `verdicts  ${formatOutcomeCounts(verdicts)}`,
    ...shown.flatMap((verdict) => {
      const { outcome } = verdict
      const times = outcome === 'failed' ? verdict.violations : verdict.inconclusive
      const more = times > 1 ? ` (${times} times)` : ''
      return [
        `${outcome.padEnd(9)} ${escapeControls(verdict.sentence)}${more}`,
        `          ${failedVerdictLine(verdict)}${causeText(verdict)}`,
        ...otherFindingLines(verdict),
        ...(outcome === 'failed' ? [`          fix: ${verdict.remedy}`] : []),
      ]
    }),
  ]
}

type WatchedSession = Pick<SessionApi, 'look' | 'subscribe'>

interface OutputOptions {
  readonly json?: true
}

/** Reports each rule once when it fails, while the session runs. */
export function reportFailedVerdicts(
  face: WatchedSession,
  { json, lastAt }: OutputOptions & { readonly lastAt: () => Instant | undefined },
  io: Io,
): Disposable {
  const reported = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const { verdicts, info } = await face.look({ verdicts: true })
    const fresh = verdicts.filter(({ id, outcome }) => outcome === 'failed' && !reported.has(id))
    for (const verdict of fresh) {
      reported.add(verdict.id)
      const { findings } = verdict
      // A rule is judged after the fact: its line stands at the time of the line before it, or the log would go back.
      const at = clockOf(lastAt() ?? findings[0]?.at ?? info.clock.now)
      const line = json
        ? JSON.stringify({ verdict })
        : `${at}  ${'verdict'.padEnd(8)}  ${failedVerdictLine(verdict)}`
      await printLine(io.stdout, line)
    }
  }

  const unsubscribe = face.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      // A session in another process may be gone.
      check().catch(() => undefined)
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

/** Prints the failed requests and all verdicts when the session is stopped. */
export async function printVerdictSummary(
  face: WatchedSession,
  { json }: OutputOptions,
  io: Io,
): Promise<void> {
  const { verdicts, info } = await face.look({ verdicts: true })
  const { exchanges, failed } = info.counts
  const failedText = failedRequestsText(failed)
  const lines = json
    ? [JSON.stringify({ verdicts, exchanges, failed })]
    : [
        ...(failedText === undefined ? [] : [`requests  ${failedText}`]),
        ...verdictSummaryLines(verdicts),
      ]
  if (verdicts.length > 0 || failedText !== undefined) await printLine(io.stdout, lines.join('\n'))
}
