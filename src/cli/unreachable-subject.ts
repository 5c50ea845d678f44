/** Collapses consecutive failed calls to the subject into one log line, and reports its recovery. */
import type { Role } from '../protocol/role.ts'
import type { SessionInfo, TrafficRow } from '../session-api/session-api.ts'

export interface UnreachableNotices {
  /** The sentences to log after an exchange; `nothing` suppresses the exchange itself too. */
  readonly about: (
    row: TrafficRow,
    subject: SessionInfo['subject'],
  ) => readonly string[] | 'nothing'
}

const isCallTo = (row: TrafficRow, role: Role | undefined): boolean =>
  row.subject && row.to === role

/** No connection or no reply, and not caused by an injected fault. */
const isUnanswered = ({ status, failure, fault }: TrafficRow): boolean =>
  status === 0 && failure !== undefined && fault === undefined

export function createUnreachableNotices(): UnreachableNotices {
  let failed = 0
  return {
    about(row, subject) {
      if (!isCallTo(row, subject?.role)) return []
      if (isUnanswered(row)) {
        failed++
        if (failed > 1) return 'nothing'
        return [
          'calls to your service without an answer are left out from here on, until it answers again',
        ]
      }
      if (row.status === 0 || failed === 0) return []
      const sentence = `your service answers again; ${failed} ${failed === 1 ? 'call' : 'calls'} had no answer`
      failed = 0
      return [sentence]
    },
  }
}
