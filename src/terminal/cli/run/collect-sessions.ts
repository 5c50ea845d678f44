/** Collects what the HTML report shows of each session, before it is closed; in bounded memory. */
import type { SessionReport } from '../../page/session/report-content.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { openReportRedactor, redactReport } from '../report/redact-report.ts'
import { reportOfSession } from '../report/report-of-session.ts'

/** Exchanges of one run, and of all runs together: after these only failed runs are collected. */
const [maxOfRun, maxOfRuns] = [500, 4000]

export interface SessionCollector {
  /**
   * Reads the session of a run that was played; undefined where there is no room for it. `hasFailed` is as far as it is known
   * then.
   */
  readonly collect: (
    session: Pick<SessionApi, 'look'>,
    hasFailed: boolean,
  ) => Promise<SessionReport | undefined>
}

export function createSessionCollector(): SessionCollector {
  const redactor = openReportRedactor()
  let exchanges = 0
  return {
    async collect(session, hasFailed) {
      if (exchanges >= maxOfRuns && !hasFailed) return undefined
      const report = redactReport(await reportOfSession(session, {}, maxOfRun), redactor)
      exchanges += report.exchanges.length
      return report
    },
  }
}
