/** What an answerer needs: the recording, its bindings, and what to do with a call that the recording does not have. */
import type { Instant } from '../../core/engine/instant.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { EditRecorded } from '../difference/edit-recording.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { ExchangeMatcher } from '../difference/matcher.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { Forwarder } from './forwarder.ts'
import type { IncomingRequest, OutgoingReply } from '../../core/runtime/server/messages.ts'

/** Reply to a call that is not in the recording: from our state machine (`synth`), from the partner, or custom. */
export type OnMiss =
  | 'synth'
  | Forwarder
  | ((live: Exchange, request: IncomingRequest) => OutgoingReply | undefined)

export interface AnswererOptions {
  /** Name of the recording. */
  readonly recording: string
  readonly matcher: ExchangeMatcher
  readonly binding: IdentifierBinding
  /** The role of the service whose calls are answered. */
  readonly subject: Role
  /** Entities that share one time shift: which order, for instance. */
  readonly entities: (exchange: Exchange) => readonly string[]
  readonly now: () => Instant
  /** Start of the recording's times, in milliseconds since 1970. */
  readonly t0: number
  readonly base: (host: Role) => string
  /** Looks up a recorded exchange and its place. */
  readonly findRecorded: (
    recordId: string,
  ) => { readonly recorded: RecordedExchange; readonly place: number } | undefined
  /** The exchange as it is played, with its edits. */
  readonly edited: EditRecorded
  /** Whether the request introduces an id of the service's own. */
  readonly namesNewId: (recordId: string) => boolean
  readonly onMiss?: OnMiss | undefined
  /** Compares a call that the host rejected itself with the recording. */
  readonly compare: (recorded: RecordedExchange, renamed: Exchange) => readonly Difference[]
  readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
  /** Called for a poll without events, which is reported nowhere else. */
  readonly onIdle: () => void
  /** Called with a reply that is awaited: time must not pass it. */
  readonly underWay: (reply: Promise<unknown>) => void
  /** Called for each recorded call that the service has made. */
  readonly onCallMade: (recorded: RecordedExchange) => void
}
