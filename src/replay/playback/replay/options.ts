/**
 * Options of a replay and what is derived from them: the role of the target, the exchanges to send, the session
 * options.
 */
import { compact } from '../../../core/base/compact.ts'
import { idleTimeoutOf } from '../idle-timeout.ts'
import type { PlaybackPace } from '../../../core/engine/playback/pace.ts'
import { problem, type Problem } from '../../../core/base/problem.ts'
import { operation } from '../../../core/protocol/catalogue.ts'
import { fullRoleName, type Role, roles } from '../../../core/protocol/role.ts'
import type { SessionOptions } from '../../../core/session/options.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import type { EditRecorded } from '../../difference/edit-recording.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { FetchHandler } from '../../../core/session-api/session.ts'
import type { Forwarder } from '../forwarder.ts'
import { isAcknowledgmentCall, isPollCall } from '../../../core/traffic/polling.ts'
import type { OnMiss } from '../answerer.ts'
import { inferCauses } from '../../identity/causality/causes.ts'
import { minCertainty } from '../../identity/causality/closure.ts'
import { endOf } from '../../../core/traffic/exchange.ts'

/**
 * Determines which exchanges must end before another may be sent again: its causes, and earlier exchanges about the
 * same entity. Reordering calls about one order would be another scenario. The recording with only those causes that a
 * replay must respect.
 */
function withOrderingCauses(content: RecordingContent): RecordingContent {
  const { exchanges } = content
  const causes = inferCauses(exchanges)
  const ends = new Map(exchanges.map((each) => [each.recordId, endOf(each)]))
  /** By caller and host roles: the last poll or acknowledgment, which decides what a poll returns. */
  const lastReads = new Map<string, RecordedExchange>()

  const wasOver = (id: string, { startedAt }: RecordedExchange): boolean =>
    (ends.get(id) ?? Number.NEGATIVE_INFINITY) <= startedAt

  function previousRead(each: RecordedExchange): readonly Cause[] {
    if (!isPollCall(each) && !isAcknowledgmentCall(each)) return []
    const key = `${each.from.role}>${each.to.role}`
    const last = lastReads.get(key)
    lastReads.set(key, each)
    return last && wasOver(last.recordId, each)
      ? [{ id: last.recordId, kind: 'order', sure: 1 }]
      : []
  }

  return {
    ...content,
    exchanges: exchanges.map((each) => {
      const kept = (causes.get(each.recordId) ?? []).filter(
        ({ id, kind, sure }) => sure >= minCertainty || (kind === 'order' && wasOver(id, each)),
      )
      const all = [...kept, ...previousRead(each)]
      const { causes: _causes, ...rest } = each
      return all.length > 0 ? { ...rest, causes: all } : rest
    }),
  }
}

/** How calls of the service are answered from the recording. */
export interface AnswerOptions {
  /**
   * Reply to a call that is not in the recording; 501 with the reason when absent. With `forward` it is passed on to the
   * partner at this URL, and its reply is returned.
   */
  readonly onMiss?: Exclude<OnMiss, Forwarder> | { readonly forward: string }
  /** Failed attempts are answered as recorded, instead of with the later successful reply. */
  readonly faithfulFailures?: boolean
  /**
   * Idle timeout for calls that the service is expected to make; derived from the recording when absent. Milliseconds.
   */
  readonly callTimeoutMs?: number
  /** Whether sends wait for the service's recorded calls, and missing calls are reported. Default true. */
  readonly waits?: boolean
  /** Recorded calls that the service does not make are reported. Default true when something is sent to it. */
  readonly requireAll?: boolean
}

/** End conditions for serving; without them it goes on until stopped. */
export interface ServeOptions {
  /** End when every recorded call was made. */
  readonly untilAll?: boolean
  /** End after this time without a call; once the recording's time is over, idle polls do not count. Milliseconds. */
  readonly idleMs?: number
  /** End after this time without a call that the recording has; idle polls do not count. Milliseconds. */
  readonly settleMs?: number
}

export interface PlaybackOptions extends Omit<
  SessionOptions,
  'as' | 'subject' | 'handler' | 'recording' | 'only'
> {
  readonly recording: RecordingContent
  /** The target service: its URL, or a fetch-style handler in this process. Not needed when it is only answered. */
  readonly to?: string | FetchHandler
  /** Further configuration of the service: credentials, webhooks. */
  readonly subject?: Exclude<SessionOptions['subject'], string | FetchHandler>
  /** The role that it plays, as named in the recording; the role of the recording's subject when absent. */
  readonly role?: Role
  /** Pace; as recorded when absent, which takes no time on the virtual clock. */
  readonly pace?: PlaybackPace
  /** Filter for exchanges to send; causes that are filtered out count as done. */
  readonly only?: (recorded: RecordedExchange) => boolean
  /** The number of the exchange at which it begins: what came before counts as done. */
  readonly from?: number
  /**
   * The exchange as it is to be played: edited, or as it is. Ids, times, tokens and signatures are renewed after it.
   */
  readonly edited?: EditRecorded
  /** How often each is sent: 2 tests idempotency. Default 1. */
  readonly times?: number
  /** Keep our recorded ids instead of generating new ones from the seed. */
  readonly sameIds?: boolean
  /** Ids that both sides know from configuration, such as merchants: recorded id to current id. */
  readonly shared?: Readonly<Record<string, string>>
  /** Comparison rules, applied before those of the protocol. */
  readonly rules?: readonly Rule[]
  /** Whether requests carry `X-Replay-Run` and `X-Replay-Of`. Default true. */
  readonly replayHeaders?: boolean
  /** Answer the service's calls from the recording, and make sends wait for them. */
  readonly answers?: AnswerOptions
  /** Serve until stopped; sends wait for the service's calls without a timeout. */
  readonly serves?: ServeOptions
  /** Record the replay to this file. */
  readonly record?: string
  /** Aborts; the report is marked as interrupted and has the results so far. */
  readonly signal?: AbortSignal
}

/** Maximum number of sends of each exchange. */
const maxTimes = 100

/** The role of the recording's subject; else the role that is called. */
export function recordedSubjectRole({ header, exchanges, file }: RecordingContent): Role {
  const { parties } = header._rec
  const named = parties.find(({ party }) => party === 'subject')?.role
  const called = exchanges.find(({ to }) => to.party === 'subject')?.to.role
  const role = called ?? named
  if (role !== undefined) return role
  throw problem(
    `replaying ${file}`,
    'the recording does not say which role the service plays that it is to be sent to',
    `Say it: ${roles.join(', ')}.`,
  )
}

function checkOptions({ times = 1, pace }: PlaybackOptions): void {
  if (!Number.isInteger(times) || times < 1 || times > maxTimes)
    throw problem('replaying', `${times} times is no number from 1 to ${maxTimes}`, 'Give another.')
  const { speed = 1, perSecond = 1 } = pace ?? {}
  if (!(speed > 0) || !(perSecond > 0))
    throw problem('replaying', 'speed and rate must be above 0', 'Give another.')
}

/** The channel by which the recording hands events to the service; undefined when there are none. */
function channelOf({ exchanges }: RecordingContent, role: Role) {
  const polls = exchanges.some(
    ({ operation: id, from }) => from.role === role && isPollCall({ operation: id }),
  )
  const pushed = exchanges.some(
    ({ operation: id, to }) =>
      to.role === role && id !== undefined && operation(id).webhook === 'orders',
  )
  return polls && pushed ? 'both' : pushed ? 'webhook' : polls ? 'polling' : undefined
}

/** When answering, declare the channel of the recorded partner unless configured otherwise. */
function withChannel(
  { counterparts = {} }: Pick<SessionOptions, 'counterparts'>,
  content: RecordingContent,
  role: Role,
): Pick<SessionOptions, 'counterparts'> {
  const channel = channelOf(content, role)
  if (channel === undefined || role === 'ordering-application') return {}
  const { 'ordering-application': own, ...others } = counterparts
  return { counterparts: { ...others, 'ordering-application': { channel, ...own } } }
}

function nothingToSend(
  { file, exchanges }: RecordingContent,
  role: Role,
  sent: (recorded: RecordedExchange) => boolean,
): Problem {
  const [first] = exchanges.filter(sent)
  return first
    ? problem(
        `replaying ${file}`,
        `nothing that --only or --from leaves of it was sent to the ${fullRoleName[role]}`,
        `Name what was sent to it, such as '#${first.seq}'.`,
      )
    : problem(
        `replaying ${file}`,
        `no call to the ${fullRoleName[role]} is in it`,
        'Say which role the service plays that it is to be sent to. One that only asks is answered with --driver server, or replayed with --driver partner.',
      )
}

export function readReplayInput(options: PlaybackOptions) {
  const {
    recording,
    to,
    subject,
    role: requestedRole,
    pace = { mode: 'original' },
    only = () => true,
    from = 0,
    edited = (recorded) => recorded,
    times = 1,
    sameIds = false,
    shared = {},
    rules = [],
    replayHeaders = true,
    answers,
    serves,
    signal: _signal,
    record,
    ...session
  } = options
  checkOptions(options)
  const content = withOrderingCauses(recording)
  const role = requestedRole ?? recordedSubjectRole(content)
  const sent = (each: RecordedExchange): boolean =>
    to !== undefined && each.to.role === role && each.from.role !== role
  const wanted = (each: RecordedExchange): boolean => sent(each) && each.seq >= from && only(each)
  if (!serves && !content.exchanges.some(wanted)) throw nothingToSend(content, role, sent)
  const seed = session.seed ?? 42
  const { parties } = content.header._rec
  const clock = session.clock ?? (typeof to === 'function' ? 'virtual' : 'real')
  return {
    content,
    role,
    seed,
    pace,
    times,
    sameIds,
    shared,
    rules: createRuleBook(rules),
    runId: replayHeaders ? `${content.header._rec.id}-${seed}` : undefined,
    /** Runs on the wall clock, so timing is measured. */
    timed: clock === 'real',
    wanted,
    from,
    edited,
    /** Record ids of the exchanges sent to that role. */
    sentIds: new Set(content.exchanges.filter(sent).map(({ recordId }) => recordId)),
    answers:
      answers || serves
        ? { callTimeoutMs: idleTimeoutOf(content.exchanges, role, clock === 'real'), ...answers }
        : undefined,
    recordedBaseOf: (called: Role): string | undefined =>
      parties.find((each) => each.role === called)?.base,
    session: {
      // A part of a conversation is no basis for verdicts.
      tolerances: { on: false },
      automatic: true,
      ...session,
      ...(answers || serves ? withChannel(session, content, role) : {}),
      ...(record === undefined ? {} : { recording: { file: record } }),
      seed,
      // The service may know our stores by id: keep those of the recording.
      ...compact({ populationSeed: content.header._rec.seed }),
      clock,
      as: role,
      subject: { ...subject, ...(typeof to === 'string' ? { url: to } : {}) },
      ...(typeof to === 'function' ? { handler: to } : {}),
    },
  }
}
