/**
 * The log's sentences about contact with the user's service: each once, and again only when it has changed. Further failed
 * calls to a service that does not answer are not logged, nor is a manifest read again with the same status.
 */
import type { SessionInfo, TrafficRow } from '../../core/session-api/session-api.ts'
import { pluralise } from '../../core/protocol/count-text.ts'

export interface ContactLog {
  /** The sentences to log after an exchange; `nothing` suppresses the exchange itself too. */
  readonly about: (row: TrafficRow, info: SessionInfo) => readonly string[] | 'nothing'
  /** Whether the service did not answer the last call. */
  readonly isUnreachable: () => boolean
  /** Sentences about the state of the contact that were not logged yet. */
  readonly changes: (info: SessionInfo) => readonly string[]
}

/** No connection or no reply, and not caused by an injected fault. */
const isUnanswered = ({ status, failure, fault }: TrafficRow): boolean =>
  status === 0 && failure !== undefined && fault === undefined

export function createContactLog(): ContactLog {
  let failed = 0
  let manifestStatus: number | undefined
  let isConnected = false
  let notices: readonly string[] = []
  return {
    isUnreachable: () => failed > 0,
    about(row, { subject }) {
      if (!row.subject || row.to !== subject?.role) return []
      if (isUnanswered(row)) {
        failed++
        if (failed > 1) return 'nothing'
        return [
          'calls to your service without an answer are left out from here on, until it answers again',
        ]
      }
      if (row.operation === 'getManifest') {
        const isRepeated = manifestStatus === row.status
        manifestStatus = row.status
        if (isRepeated && failed === 0) return 'nothing'
      }
      if (row.status === 0 || failed === 0) return []
      const sentence = `your service answers now; ${pluralise(failed, 'call')} had no answer`
      failed = 0
      return [sentence]
    },
    changes({ contact }) {
      const fresh = (contact?.notices ?? []).filter((notice) => !notices.includes(notice))
      notices = contact?.notices ?? []
      const by = isConnected ? undefined : contact?.connected?.by
      isConnected ||= by !== undefined
      return [...fresh, ...(by === undefined ? [] : [`Your service has connected: ${by}.`])]
    },
  }
}
