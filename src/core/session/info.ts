/** Session info: version, counterparts with URLs, clock and counts. */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { callUrl } from '../runtime/client/call-url.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import { manifestNotices, manifestNoticeText } from './contact-notices.ts'
import { buildVersion } from '../runtime/version.ts'
import type { Role } from '../protocol/role.ts'
import type { SessionInfo } from '../session-api/session-api.ts'
import type { ContactState } from '../session-api/first-contact.ts'
import type { FailedRequests } from '../traffic/failed-requests.ts'
import type { TrafficLog } from '../traffic/log.ts'

export interface SessionInfoParts {
  readonly configuration: Configuration
  readonly runtime: WorldRuntime
  readonly seed: number
  readonly roles: readonly Role[]
  readonly urls: ReadonlyMap<Role, string>
  readonly log: TrafficLog
  readonly failed: FailedRequests
  readonly actions: number
  readonly recording: SessionInfo['recording']
  readonly connect: SessionInfo['connect']
  readonly contact: Pick<ContactState, 'connected' | 'unreachable'>
  /** Sequence number of the fact that the session was forked at. */
  readonly forked?: number | undefined
}

export function sessionInfo(parts: SessionInfoParts): SessionInfo {
  const { configuration, runtime, seed, roles, urls, log, failed, actions, recording } = parts
  const { engine, driver } = runtime
  const { agenda, ordering } = engine.world
  const { subject, counterparts, protocol } = configuration
  return {
    version: buildVersion(),
    protocol,
    seed,
    clock: { mode: driver.mode(), speed: driver.speed(), now: engine.now() },
    channel: counterparts['ordering-application'].channel ?? 'polling',
    counterparts: roles.map((role) => ({
      role,
      url: urls.get(role) ?? '',
      temperament: counterparts[role].temperament,
    })),
    ...(subject.role
      ? { subject: { role: subject.role, ...(subject.url ? { url: subject.url } : {}) } }
      : {}),
    ...compact({ recording, forked: parts.forked, connect: parts.connect }),
    contact: { ...parts.contact, ...subjectState(runtime, subject.role) },
    counts: {
      facts: engine.journal.last(),
      exchanges: log.count(),
      pending: agenda.byId.size - agenda.held.size,
      loops: agenda.byId.size - agenda.held.size - agenda.foreground,
      held: agenda.held.size,
      orders: ordering.orders.size,
      open: ordering.orders.size - ordering.over.size,
      failed,
      actions,
    },
  }
}

/** What the world knows of the user's service: warnings about its manifest, and the events that wait for it. */
function subjectState(
  { engine, destination }: WorldRuntime,
  subject: Role | undefined,
): Pick<ContactState, 'notices' | 'waiting'> {
  const there = subject && destination(subject)
  if (subject === undefined || there === undefined) return { notices: [], waiting: 0 }
  const { ordering, announcements } = engine.world
  const call = { from: subject, to: subject, operation: 'getManifest', attempt: 1 } as const
  const waiting = [...announcements.waiting.keys()].filter(
    (eventId) => announcements.events.get(eventId)?.to === subject,
  )
  return {
    notices: manifestNotices(engine, subject, callUrl(call, there, engine)).map(manifestNoticeText),
    waiting: waiting.length + (subject === 'software-service' ? ordering.waiting.size : 0),
  }
}
