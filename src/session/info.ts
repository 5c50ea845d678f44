/** Session info: version, counterparts with URLs, clock and counts. */
import { compact } from '../compact.ts'
import type { Configuration } from '../configuration/schema.ts'
import type { WorldRuntime } from '../edge/world-runtime.ts'
import { packageVersion } from '../edge/version.ts'
import type { Role } from '../protocol/role.ts'
import type { SessionInfo } from '../session-api/session-api.ts'
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
  readonly contact: SessionInfo['contact']
  /** Sequence number of the fact that the session was forked at. */
  readonly forked?: number | undefined
}

export function sessionInfo(parts: SessionInfoParts): SessionInfo {
  const { configuration, runtime, seed, roles, urls, log, failed, actions, recording } = parts
  const { engine, driver } = runtime
  const { agenda, ordering } = engine.world
  const { subject, counterparts, protocol } = configuration
  return {
    version: packageVersion(),
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
    ...compact({ recording, forked: parts.forked, connect: parts.connect, contact: parts.contact }),
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
