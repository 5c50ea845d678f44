/**
 * Schemas of what the control API answers with, for its description. The fields are those of the types of the session API:
 * the compiler asks for each of them, and tests hold answers of sessions against them.
 */
import { z } from 'zod'
import { CommandBody } from '../../engine/command.ts'
import { JsonValue } from '../../protocol/json-value.ts'
import { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import {
  moveParameterNames,
  sessionEntityKinds,
  type EntityDetail,
  type EntityRow,
  type Move,
} from '../../session-api/entities.ts'
import type {
  AgendaRow,
  CreatedOrder,
  FaultRow,
  InitialConditions,
  ItemDetail,
  JournalRow,
  OperatorAction,
  OrderDetail,
  OrderRow,
  Snapshot,
} from '../../session-api/session-api.ts'
import type { ObservedEffects } from '../../rules/invariants/tracking/tracker-state.ts'
import { objectLike } from './object-like.ts'
import { ClockModeName, MenuBody, SessionBody } from './session-schemas.ts'
import {
  ExchangeBody,
  ExchangeNoteBody,
  RateBody,
  ResentExchangeBody,
  TrafficRowBody,
} from './traffic-schemas.ts'
import type { SessionMetrics } from '../../session-api/session-metrics.ts'
import type { WaitResult } from './wait-result.ts'
import { featureSwitches } from '../../protocol/operation.ts'
import {
  neededSettings,
  verdictOutcomes,
  type Evidence,
  type Finding,
  type Verdict,
} from '../../rules/invariants/verdict.ts'
import type { SessionVerdict } from '../../views/session-verdict.ts'
import type {
  ExplainedRule,
  Explanation,
  Split,
  StoryKind,
  StoryLine,
  StoryStep,
} from '../../session-api/explanation.ts'

const storyKinds = {
  host: 0,
  event: 0,
  fault: 0,
  handover: 0,
  acknowledgment: 0,
  read: 0,
  call: 0,
  effect: 0,
} as const satisfies Record<StoryKind, 0>

const text = z.string()
const count = z.int().min(0)
const flag = z.literal(true).optional()
/** Milliseconds since 1970, with fractions. */
const instant = z.number()
const some = text.optional()
const seqs = z.array(z.int().min(1))

const Line = objectLike<StoryLine>()(() => ({
  at: instant,
  kind: z.enum(Object.keys(storyKinds) as StoryKind[]),
  text,
  exchanges: seqs,
  fact: z.int().min(1).optional(),
  eventId: text.optional(),
  odd: z.literal(true).optional(),
}))

const Period = objectLike<Split>()(() => ({
  from: instant,
  to: instant.optional(),
  text,
  because: text,
  exchanges: seqs,
}))

const Step = objectLike<StoryStep>()(() => ({
  status: OrderStatus,
  at: instant,
  exchange: z.int().min(1).optional(),
}))

const Rule = objectLike<ExplainedRule>()(() => ({
  id: text,
  sentence: text,
  remedy: text,
  clauses: z.array(text),
}))

const ExplanationBody = objectLike<Explanation>()(() => ({
  about: z.object({
    kind: z.enum([
      'order',
      'event',
      'exchange',
      'account',
      'customer',
      'loyalty-account',
      'coupon',
    ]),
    id: text,
  }),
  orderId: text.optional(),
  slot: text.optional(),
  title: text,
  other: z.object({ role: RoleName, name: text }),
  wholeSince: instant.optional(),
  host: z.array(Step),
  known: z.array(Step),
  lines: z.array(Line),
  omitted: z.int().min(0),
  splits: z.array(Period),
  conclusion: z.array(text),
  rules: z.array(Rule),
}))

const EvidenceBody = objectLike<Evidence>()(() => ({ seq: count, at: instant, line: text }))

const FindingBody = objectLike<Finding>()(() => ({
  because: text,
  at: instant,
  orderId: some,
  slot: some,
  evidence: z.array(EvidenceBody),
  clauses: z.array(text).optional(),
  remedy: some,
  advice: z.literal(true).optional(),
  lagMs: z.number().optional(),
  setting: z.literal(true).optional(),
}))

const VerdictBody = objectLike<Verdict>()(() => ({
  id: text,
  name: text,
  sentence: text,
  remedy: text,
  kind: z.enum(['safety', 'liveness', 'timing']),
  clauses: z.array(text),
  outcome: z.enum(verdictOutcomes),
  premises: count,
  premise: text,
  violations: count,
  inconclusive: count,
  findings: z.array(FindingBody),
  latest: z.array(FindingBody).optional(),
  needs: z.array(z.enum([...featureSwitches, ...neededSettings])).optional(),
  alsoShownBy: some,
  adviceMeaning: some,
  follows: some,
}))

const SessionVerdictBody = objectLike<SessionVerdict>()(() => ({
  passed: z.boolean(),
  exit: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  because: text,
  counts: z.object({
    failed: count,
    advice: count,
    inconclusive: count,
    passed: count,
    open: count,
    'not-exercised': count,
  }),
  notExercised: z.array(text),
  broken: z.array(VerdictBody),
  text,
}))

const MoveBody = objectLike<Move>()(() => ({
  trigger: text,
  to: text,
  by: RoleName,
  command: CommandBody,
  invalid: some,
  takes: z
    .array(
      z.object({
        name: z.enum(moveParameterNames),
        needed: flag,
        most: z.number().optional(),
        known: z.array(text).optional(),
      }),
    )
    .optional(),
}))

const OrderRowBody = objectLike<OrderRow>()(() => ({
  orderId: text,
  displayId: text,
  profile: OrderType,
  status: OrderStatus,
  lastEvent: some,
  merchant: text,
  customer: some,
  amount: text,
  createdAt: instant,
  since: instant,
  cancellation: some,
  believed: OrderStatus.optional(),
  slot: some,
}))

/** An order as our Software Service knows it. */
const BelievedOrderBody = z.object({
  orderId: text,
  displayId: text,
  profile: OrderType,
  status: OrderStatus,
})

const historyOf = (status: z.ZodType) =>
  z.array(z.object({ status, at: instant, trigger: z.string().optional() }))

const EffectsBody = objectLike<ObservedEffects>()(() => ({
  orderId: text,
  at: instant,
  counts: z.array(
    z.object({ kind: text, count, mayRepeat: z.boolean(), evenIfCancelled: z.boolean() }),
  ),
  failures: z.record(text, text),
}))

const OrderDetailBody = objectLike<OrderDetail>()(() => ({
  row: OrderRowBody,
  statusHistory: historyOf(OrderStatus),
  regularStatuses: z.array(OrderStatus),
  moves: z.array(MoveBody),
  events: z.array(z.object({ eventId: text, eventType: text, createdAt: text, state: z.string() })),
  effects: EffectsBody.optional(),
  document: z.unknown(),
}))

const kind = z.enum(sessionEntityKinds)

const EntityRowBody = objectLike<EntityRow>()(() => ({
  kind,
  id: text,
  label: text,
  status: text,
  text,
  since: instant,
  orderId: some,
  merchant: some,
}))

const EntityDetailBody = objectLike<EntityDetail>()(() => ({
  row: EntityRowBody,
  statusHistory: historyOf(text),
  regularStatuses: z.array(text),
  moves: z.array(MoveBody),
  parts: z
    .array(
      z.object({
        name: z.enum(['items', 'payments', 'events']),
        rows: z.array(z.record(z.string(), text)),
      }),
    )
    .optional(),
  document: z.unknown(),
}))

const AgendaRowBody = objectLike<AgendaRow>()(() => ({
  id: z.int().min(1),
  due: instant,
  held: z.boolean(),
  background: z.boolean(),
  aside: flag,
  kind: text.describe('Kind of its command.'),
  text,
  orderId: some,
  effect: some,
  attempt: count.optional(),
  copyOf: count.optional(),
  edited: flag,
  waits: some,
  fault: some,
}))

const ItemDetailBody = objectLike<ItemDetail>()(() => ({
  row: AgendaRowBody,
  command: CommandBody,
  event: z
    .object({ eventId: text, eventType: text, fields: z.record(z.string(), z.unknown()) })
    .optional(),
}))

const JournalRowBody = objectLike<JournalRow>()(() => ({
  seq: count,
  at: instant,
  kind: text,
  orderId: some,
  text,
  by: text,
  subject: flag,
}))

const FaultRowBody = objectLike<FaultRow>()(() => ({
  id: z.int().min(1),
  name: text,
  text,
  legal: z.boolean(),
  since: instant,
  fired: count,
  over: z.enum(['spent', 'expired', 'removed', 'ended']).optional(),
  forMs: z.number().optional(),
  limit: count.optional(),
  idle: some,
}))

const OperatorActionBody = objectLike<OperatorAction>()(() => ({
  at: instant,
  after: count,
  what: z.looseObject({ kind: z.enum(['command', 'order', 'step', 'advance', 'clock', 'resend']) }),
  item: AgendaRowBody.optional(),
  items: z.array(AgendaRowBody).optional(),
}))

const InitialConditionsBody = objectLike<InitialConditions>()(() => ({
  seed: count,
  origin: instant,
  clock: ClockModeName,
  faults: z.array(z.unknown()),
  session: z.record(z.string(), z.unknown()),
}))

const CreatedOrderBody = objectLike<CreatedOrder>()(() => ({
  orderId: text,
  warnings: z.array(text).optional(),
}))

const parties = { from: RoleName, to: RoleName }

const MetricsBody = objectLike<SessionMetrics>()(() => ({
  exchanges: z.array(z.object({ ...parties, operation: z.string(), status: z.string(), count })),
  failures: z.array(z.object({ ...parties, code: z.string(), injected: z.boolean(), count })),
  answerTimes: z.object({
    boundsMs: z.array(z.number()),
    byOperation: z.array(
      z.object({ operation: z.string(), counts: z.array(count), sumMs: z.number() }),
    ),
  }),
  faultsFired: z.array(z.object({ fault: z.string(), count })),
  resets: count,
  activeFaults: count,
  agenda: z.object({ due: count, later: count, held: count, loops: count }),
  eventsWaiting: z.object({ polling: count, webhook: count }),
  callsInFlight: count,
  spans: z.object({ exported: count, dropped: count }).optional(),
  orders: z.array(z.object({ status: z.string(), count })),
  rules: z.array(z.object({ rule: z.string(), outcome: z.enum(verdictOutcomes) })),
}))

const SnapshotBody = objectLike<Omit<Snapshot, 'playback' | 'attached'>>()(() => ({
  info: SessionBody,
  journal: z.array(JournalRowBody),
  traffic: z.array(TrafficRowBody),
  hidden: count,
  found: z.record(z.string(), count).optional(),
  agenda: z.array(AgendaRowBody),
  orders: z.array(OrderRowBody),
  entities: z.array(EntityRowBody),
  entityCount: count,
  orderPlace: count.optional(),
  entityPlace: count.optional(),
  order: OrderDetailBody.optional(),
  entity: EntityDetailBody.optional(),
  exchange: ExchangeBody.optional(),
  item: ItemDetailBody.optional(),
  pinned: z.array(OrderRowBody).optional(),
  faults: z.array(FaultRowBody),
  verdicts: z.array(VerdictBody),
  rate: RateBody.optional(),
  metrics: MetricsBody.optional(),
  operatorActions: z.array(OperatorActionBody),
  initialConditions: InitialConditionsBody.optional(),
  explanation: ExplanationBody.optional(),
  menu: MenuBody.optional(),
  problem: some,
}))

/** Facts are described by their kind alone. */
const FactBody = z.looseObject({ kind: z.string() })

/** What a role knows: its address, its orders, and what else it keeps by kind. */
const RoleStateBody = z.object({
  role: RoleName,
  url: text,
  behaviour: text,
  orders: z.array(z.union([OrderRowBody, BelievedOrderBody])),
  ...Object.fromEntries(
    sessionEntityKinds.map((each) => [each, z.array(EntityRowBody).optional()]),
  ),
})

/** What a command has brought about. */
export const FactsBody = z.object({ facts: z.array(FactBody) })

const WaitResultBody = objectLike<WaitResult>()(() => ({
  met: z.boolean(),
  waitedMs: count,
  because: z.array(text),
  status: OrderStatus.optional(),
}))

/** By the name of the component. */
export const controlSchemas = {
  AgendaItem: AgendaRowBody,
  BelievedOrder: BelievedOrderBody,
  Command: CommandBody,
  CreatedOrder: CreatedOrderBody,
  EntityRow: EntityRowBody,
  EntityDetail: EntityDetailBody,
  Exchange: ExchangeBody,
  ExchangeRow: TrafficRowBody,
  Explanation: ExplanationBody,
  Fact: FactBody,
  FactRow: JournalRowBody,
  Fault: FaultRowBody,
  Finding: FindingBody,
  JsonValue,
  Menu: MenuBody,
  Move: MoveBody,
  OperatorAction: OperatorActionBody,
  OrderRow: OrderRowBody,
  OrderDetail: OrderDetailBody,
  ExchangeNote: ExchangeNoteBody,
  ResentExchange: ResentExchangeBody,
  RoleState: RoleStateBody,
  Session: SessionBody,
  Snapshot: SnapshotBody,
  SessionVerdict: SessionVerdictBody,
  Verdict: VerdictBody,
  WaitResult: WaitResultBody,
} as const satisfies Readonly<Record<string, z.ZodType>>
