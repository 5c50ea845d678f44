/** What a replay is told, and what follows from it: which role the target plays, what is sent, in what session. */
import type { FetchHandler } from '../../edge/client/destinations.ts'
import type { OnMiss } from '../../edge/playback/answerer.ts'
import { patienceOf } from '../../edge/playback/idle-timeout.ts'
import type { Pace } from '../../engine/playback/pace.ts'
import { problem } from '../../problem.ts'
import { operation } from '../../protocol/catalogue.ts'
import { isPoll } from '../../traffic/matching/entity-versions.ts'
import { fullName, type Role, roles } from '../../protocol/role.ts'
import type { SessionOptions } from '../options.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import type { RuleBook } from '../../traffic/difference/rule-book.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { inOrder } from '../../traffic/replay/in-order.ts'

/** How a service is answered from a recording. */
export interface Answers {
  /** What a call is answered that the recording does not know: 501 and why, when absent. */
  readonly onMiss?: OnMiss
  /** Failed attempts answer as they did, in place of the good answer that came after. */
  readonly faithfulFailures?: boolean
  /** How long the service is waited for that is to make a call; by the recording when absent. Milliseconds. */
  readonly patienceMs?: number
  /** Whether what is sent waits for calls of the service, and those that never come differ. They do. */
  readonly waits?: boolean
  /** What the service did not ask for differs. So it does where something is sent to it. */
  readonly requireAll?: boolean
}

/** A service that is answered goes on until somebody stops it, unless one of these comes first. */
export interface Serving {
  /** Everything that the recording has was asked for. */
  readonly untilAll?: boolean
  /** It has not called for so long. Milliseconds. */
  readonly idleMs?: number
}

export interface PlaybackOptions extends Omit<
  SessionOptions,
  'as' | 'subject' | 'handler' | 'recording' | 'only'
> {
  readonly recording: RecordingContent
  /** The service that it is sent to: its URL, or a fetch-style handler in this process. One that is only answered needs none. */
  readonly to?: string | FetchHandler
  /** The role that it plays, in the words of the recording; the role of the recording's subject when absent. */
  readonly role?: Role
  /** How fast; as it was recorded when absent, which on the virtual clock takes no time. */
  readonly pace?: Pace
  /** Only these exchanges; what they come of is taken for done where it is not among them. */
  readonly only?: (recorded: RecordedExchange) => boolean
  /** How often each is sent: 2 finds out what your service does with what it has seen. 1 when absent. */
  readonly times?: number
  /** Our ids stay what they were in the recording, instead of being made anew from the seed. */
  readonly sameIds?: boolean
  /** Ids that both sides know from configuration, merchants for instance: from those of the recording to those of now. */
  readonly shared?: Readonly<Record<string, string>>
  /** What may differ, before what the protocol says may. */
  readonly rules?: readonly Rule[]
  /** Whether requests say in `X-Replay-Run` and `X-Replay-Of` where they come from. They do. */
  readonly replayHeaders?: boolean
  /** What the service asks meanwhile is answered from the recording, and what it sends waits for it. */
  readonly answers?: Answers
  /** The service is answered until somebody stops it; what is sent to it waits for its calls, however long. */
  readonly serves?: Serving
  /** Records what happens now to this file. */
  readonly record?: string
  /** Breaks it off; the report says so and has what there is by then. */
  readonly signal?: AbortSignal
}

export interface Input {
  readonly content: RecordingContent
  readonly role: Role
  readonly seed: number
  readonly pace: Pace
  readonly times: number
  readonly sameIds: boolean
  readonly shared: Readonly<Record<string, string>>
  readonly rules: RuleBook
  readonly run: string | undefined
  /** It is the wall's time that passes, so there is something to measure. */
  readonly timed: boolean
  readonly wanted: (recorded: RecordedExchange) => boolean
  /** The records of what was sent to that role. */
  readonly sentIds: ReadonlySet<string>
  readonly was: (role: Role) => string | undefined
  readonly answers: (Answers & { readonly patienceMs: number }) | undefined
  readonly session: SessionOptions
}

/** How often each exchange may be sent. */
const mostTimes = 100

/** The role that the recording's subject plays; else the one that is called by others. */
function roleOf({ header, exchanges, file }: RecordingContent): Role {
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

function checked({ times = 1, pace }: PlaybackOptions): void {
  if (!Number.isInteger(times) || times < 1 || times > mostTimes)
    throw problem(
      'replaying',
      `${times} times is no number from 1 to ${mostTimes}`,
      'Give another.',
    )
  const { speed = 1, perSecond = 1 } = pace ?? {}
  if (!(speed > 0) || !(perSecond > 0))
    throw problem('replaying', 'speed and rate must be above 0', 'Give another.')
}

/** How events come to the service in the recording; undefined where none come. */
function channelOf({ exchanges }: RecordingContent, role: Role) {
  const polls = exchanges.some(({ operation: id, from }) => from.role === role && isPoll(id))
  const pushed = exchanges.some(
    ({ operation: id, to }) =>
      to.role === role && id !== undefined && operation(id).webhook === 'orders',
  )
  return polls && pushed ? 'both' : pushed ? 'webhook' : polls ? 'polling' : undefined
}

/** Whoever answers declares the channel that the recorded partner had, unless somebody says otherwise. */
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

export function readInput(options: PlaybackOptions): Input {
  const {
    recording,
    to,
    role: given,
    pace = { mode: 'original' },
    only = () => true,
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
  checked(options)
  const content = inOrder(recording)
  const role = given ?? roleOf(content)
  const sent = (each: RecordedExchange): boolean =>
    to !== undefined && each.to.role === role && each.from.role !== role
  if (!serves && !content.exchanges.some((each) => sent(each) && only(each)))
    throw problem(
      `replaying ${content.file}`,
      `nobody called the ${fullName[role]} in it${options.only ? ', or nothing that is wanted' : ''}`,
      'Say which role the service plays that it is to be sent to. One that only asks is replayed with the driver both: --as both.',
    )
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
    rules: ruleBook(rules),
    run: replayHeaders ? `${content.header._rec.id}-${seed}` : undefined,
    timed: clock === 'real',
    wanted: (each) => sent(each) && only(each),
    sentIds: new Set(content.exchanges.filter(sent).map(({ recordId }) => recordId)),
    answers:
      answers || serves
        ? { patienceMs: patienceOf(content.exchanges, role, clock === 'real'), ...answers }
        : undefined,
    was: (wanted) => parties.find((each) => each.role === wanted)?.base,
    session: {
      port: 0,
      // What comes of a part of a conversation is no measure of a service's conduct.
      judgement: { on: false },
      automatic: true,
      ...session,
      ...(answers || serves ? withChannel(session, content, role) : {}),
      ...(record === undefined ? {} : { recording: { file: record } }),
      seed,
      // The service may know our stores by their ids: they stay those of the recording.
      ...(content.header._rec.seed === undefined ? {} : { townSeed: content.header._rec.seed }),
      clock,
      as: role,
      ...(to === undefined ? {} : { subject: to }),
    },
  }
}
