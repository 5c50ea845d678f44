/** Notices when the user's service does not answer, so that this is said once and not with every call. */
import type { Role } from '../protocol/role.ts'
import type { SessionInfo, TrafficRow } from '../session-api/session-api.ts'

export interface DeadSubject {
  /** What is to be said of an exchange: itself, itself with a sentence behind it, or nothing at all. */
  readonly about: (
    row: TrafficRow,
    subject: SessionInfo['subject'],
  ) => readonly string[] | 'nothing'
}

const isCallTo = (row: TrafficRow, role: Role | undefined): boolean =>
  row.subject && row.to === role

/** The connection was never made, or nothing came back, and no fault of ours had its hand in it. */
const isUnanswered = ({ status, failure, fault }: TrafficRow): boolean =>
  status === 0 && failure !== undefined && fault === undefined

export function createDeadSubject(): DeadSubject {
  let failed = 0
  return {
    about(row, subject) {
      if (!isCallTo(row, subject?.role)) return []
      if (isUnanswered(row)) {
        failed++
        if (failed > 1) return 'nothing'
        const where = subject?.url === undefined ? '' : ` at ${subject.url}`
        return [
          `your service does not answer${where} (${row.failure}); this is said once, until it answers again`,
        ]
      }
      if (row.status === 0 || failed === 0) return []
      const sentence = `your service answers again; ${failed} ${failed === 1 ? 'call' : 'calls'} had no answer`
      failed = 0
      return [sentence]
    },
  }
}
