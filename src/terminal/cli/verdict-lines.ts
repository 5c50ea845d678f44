/** Log lines of verdicts: each failed rule once, as soon as it fails, and a summary at the end. */
import { clockOf, type Instant } from '../../core/engine/instant.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { failedRequestsText } from '../../core/traffic/failed-requests.ts'
import { failedVerdictLine, verdictSummaryLines } from '../../core/views/verdict-text.ts'
import { type Io, printLine } from './io.ts'

/** Interval between two checks, since a check of verdicts asks every invariant. */
const intervalMs = 1000

/** Checks a session once in each interval in which it changes. */
export function checkOnChange(
  face: Pick<SessionApi, 'subscribe'>,
  check: () => Promise<void>,
): Disposable {
  let timer: NodeJS.Timeout | undefined
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
  return checkOnChange(face, async () => {
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
  })
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
