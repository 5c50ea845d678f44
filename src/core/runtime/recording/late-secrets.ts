/**
 * Watches for secrets that are recognised after other lines were written: those lines may hold them as well, so they
 * get a last pass when the recording is closed.
 */
import type { Exchange } from '../../traffic/exchange.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'
import type { ClosingSummary, RecordingTarget } from './recording-target.ts'

export interface LateSecrets {
  /** Runs `format`, which writes the line of an exchange. */
  readonly watch: (exchange: Exchange, format: () => string) => string
  readonly lastPass: () => ClosingSummary['lastPass']
}

/** A token of ours did not exist before. */
const issuesOwnToken = ({ operation, to }: Exchange): boolean =>
  operation === 'issueToken' && to.party === 'sparring'

export function watchLateSecrets(
  redactor: Redactor | undefined,
  target: Pick<RecordingTarget, 'after' | 'position'>,
): LateSecrets {
  const secrets = (): number => redactor?.known?.secrets() ?? 0
  /** Whether a line of an exchange was written, in this session or in one before. */
  let hasLines = target.after > 0
  let searchUpTo: number | undefined
  return {
    watch(exchange, format) {
      const before = secrets()
      const line = format()
      const isLate = secrets() - before > (issuesOwnToken(exchange) ? 1 : 0)
      if (hasLines && isLate) searchUpTo = target.position()
      hasLines = true
      return line
    },
    lastPass: () =>
      redactor && searchUpTo !== undefined ? { redactor, upTo: searchUpTo } : undefined,
  }
}
