/** All routes of the control API, including the one that describes them. */
import { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { type ControlAnswer, errorAnswer, jsonAnswer, noContent, refusalAnswer } from './answer.ts'
import { faultRoutes } from './faults.ts'
import { describeRoutes } from './openapi.ts'
import { readRoutes } from './reads.ts'
import {
  commandRefusals,
  type ControlRoute,
  defineRoute,
  getRoute,
  gives,
  postRoute,
} from './route.ts'
import { waitRoutes } from './waits.ts'
import { expositionText, expositionType } from '../metrics/exposition.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import { sessionMetricFamilies } from '../metrics/session-metric-families.ts'
import { contractRuleId, verdictOutcomes } from '../../rules/invariants/verdict.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import { contactStatus } from '../../session-api/first-contact.ts'
import { sessionVerdict } from '../../views/session-verdict.ts'
import { controlSchemas, FactsBody } from './schemas.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { NewOrderRequest } from '../../session-api/configuration/new-order.ts'
import { Duration } from '../../protocol/duration.ts'
import { type Command, CommandBody } from '../../engine/command.ts'
import { maxNoteChars } from '../../traffic/note.ts'
import type { AdvanceLimits, SessionApi, View } from '../../session-api/session-api.ts'
import { clockFields } from '../../session-api/session-info.ts'
import { ClockBodyOf } from './session-schemas.ts'
import { OrderStatus } from '../../protocol/orders/order.ts'
import { sessionEntityKinds } from '../../session-api/entities.ts'

// Routes of the control API that change something; each is one call of the session API.

/** Schema of a snapshot query as a request body. */
const number = z.exactOptional(z.int().min(0))
const limit = z.int().min(0).max(1000)
const orderId = z.exactOptional(z.string())
const kind = z.enum(sessionEntityKinds)
const contains = z.exactOptional(z.string().max(200))
const list = { limit, before: number, after: number, orderId }

const ViewBody: z.ZodType<View> = strictObject(() => ({
  journal: z.exactOptional(
    z.strictObject({ ...list, contains, mine: z.exactOptional(z.boolean()) }),
  ),
  traffic: z.exactOptional(
    z.strictObject({ ...list, filter: z.exactOptional(z.string().max(1000)) }),
  ),
  agenda: z.exactOptional(
    z.strictObject({
      limit,
      orderId,
      background: z.exactOptional(z.boolean()),
      aside: z.exactOptional(z.boolean()),
      held: z.exactOptional(z.literal(true)),
      contains,
    }),
  ),
  orders: z.exactOptional(
    z.strictObject({ limit, offset: number, status: z.exactOptional(OrderStatus), contains }),
  ),
  entities: z.exactOptional(
    z.strictObject({
      kind,
      limit,
      offset: number,
      status: z.exactOptional(z.string()),
      contains,
    }),
  ),
  orderId,
  entity: z.exactOptional(z.strictObject({ kind, id: z.string() })),
  exchange: number,
  item: number,
  pinned: z.exactOptional(z.array(z.string().max(200)).max(20)),
  menu: z.exactOptional(
    z.strictObject({
      limit,
      offset: number,
      merchant: z.exactOptional(z.string().min(1).max(200)),
    }),
  ),
  faults: z.exactOptional(z.literal(true)),
  rate: z.exactOptional(z.literal(true)),
  metrics: z.exactOptional(z.literal(true)),
  verdicts: z.exactOptional(z.literal(true)),
  operatorActions: z.exactOptional(z.literal(true)),
  explain: z.exactOptional(z.string().min(1).max(200)),
  at: number,
}))

const ClockBody = strictObject(() => ({
  ...clockFields(),
  advance: Duration.optional(),
})).refine((change) => Object.keys(change).length > 0, {
  message: 'say mode, speed or advance',
})

/** Work of one `advance`: a client must not wait for an answer for ever. */
const advanceLimits: AdvanceLimits = { items: 20_000, wallMs: 10_000 }

const ItemParams = strictObject(() => ({ id: z.coerce.number().int().min(1) }))

async function submitted(session: SessionApi, command: Command): Promise<ControlAnswer> {
  const result = await session.submit(command)
  if (!result.ok) return refusalAnswer(result.error)
  const lapsed = result.value.find(
    (fact) => fact.kind === 'order.lapsed' || fact.kind === 'delivery.lapsed',
  )
  if (!lapsed) return jsonAnswer({ facts: result.value })
  const what = lapsed.kind === 'order.lapsed' ? 'order' : 'delivery'
  return errorAnswer(
    'INVALID_TRANSITION',
    `${lapsed.trigger} had no effect: the ${what} is ${lapsed.status}`,
  )
}

/** Why no rule and no clause has this id or name; undefined where one has. Loaded on demand: a start needs no rules. */
async function unknownRule(named: string): Promise<string | undefined> {
  const { invariants } = await import('../../rules/invariants/catalogue.ts')
  const { clauseIds } = await import('../../protocol/clauses.ts')
  const names = [...invariants.flatMap(({ id, name }) => [id, name]), contractRuleId]
  if (names.includes(named) || names.includes(named.toUpperCase())) return undefined
  if (clauseIds.has(named.toUpperCase())) return undefined
  const near = findClosestName(named, names)
  return `there is no rule "${named.slice(0, 80)}"${near === undefined ? '' : `: is ${near} meant?`}`
}

/** Agenda edits without further parameters. */
const plainEdits: readonly ControlRoute[] = (
  [
    ['hold', 'holdItem', 'Takes an item’s due time away'],
    ['release', 'releaseItem', 'Gives a held item its due time back'],
    ['drop', 'dropItem', 'Removes an item: it will not happen'],
    ['duplicate', 'duplicateItem', 'Copies an item right behind itself'],
  ] as const
).map(([verb, id, summary]) =>
  defineRoute({
    ...postRoute(id, `/agenda/{id}/${verb}`),
    summary,
    params: ItemParams,
    body: z.strictObject({}),
    success: gives('`{facts}`: what happened', FactsBody),
    refuses: commandRefusals,
    answer: (session, { params: { id: itemId } }) =>
      submitted(session, { kind: `agenda.${verb}`, id: itemId }),
  }),
)

const writeRoutes = [
  defineRoute({
    ...postRoute('look', '/look'),
    reads: true,
    shared: true,
    summary:
      'Several windows at once, as they are at one moment; with `age`, one that another viewer was given at most so many milliseconds ago will do',
    query: strictObject(() => ({ age: z.coerce.number().min(0).max(1000).optional() })),
    body: ViewBody,
    success: gives('a snapshot', controlSchemas.Snapshot),
    answer: async (session, { body }) => jsonAnswer(await session.look(body)),
  }),
  defineRoute({
    ...postRoute('createOrder', '/orders'),
    summary:
      'Creates an order. What the body leaves out is made up from the seed: `{}`, `{merchant, items: [{item, quantity, price}], customer, payment}`, `{sample}`, or `{order}`, a document whole or in part',
    body: NewOrderRequest,
    success: {
      status: 201,
      what: '`{orderId, warnings?}`; `warnings` are sentences about a document whose sums do not match',
      response: controlSchemas.CreatedOrder,
    },
    refuses: commandRefusals,
    async answer(session, { body }) {
      const made = await session.createOrder(body)
      if (!made.ok) return refusalAnswer(made.error)
      const location = `/orders/${encodeURIComponent(made.value.orderId)}`
      return { ...jsonAnswer(made.value, 201), headers: { location } }
    },
  }),
  defineRoute({
    ...postRoute('submitCommand', '/commands'),
    summary: 'Submits a command to the engine',
    body: CommandBody,
    success: gives('`{facts}`: what happened', FactsBody),
    refuses: commandRefusals,
    answer: (session, { body }) => submitted(session, body),
  }),
  defineRoute({
    ...postRoute('stepAgenda', '/agenda/step'),
    summary: 'Takes the first item of the agenda, due or not',
    body: z.strictObject({}),
    success: {
      status: 200,
      what: 'the item that was taken; 204 when there is none',
      response: controlSchemas.AgendaItem,
      empty: 'the agenda is empty',
    },
    async answer(session) {
      const taken = await session.step()
      return taken ? jsonAnswer(taken) : noContent
    },
  }),
  ...plainEdits,
  defineRoute({
    ...postRoute('delayItem', '/agenda/{id}/delay'),
    summary: 'Puts an item off by a duration such as `5s`',
    params: ItemParams,
    body: strictObject(() => ({ by: Duration })),
    success: gives('`{facts}`: what happened', FactsBody),
    refuses: commandRefusals,
    answer: (session, { params: { id }, body: { by } }) =>
      submitted(session, { kind: 'agenda.delay', id, byMs: by }),
  }),
  defineRoute({
    ...postRoute('moveItem', '/agenda/{id}/move'),
    summary:
      'Moves an item one place, or to the place of another: `{to: "earlier"}`, `{to: {place: 7}}`',
    params: ItemParams,
    body: strictObject(() => ({
      to: z.union([z.enum(['earlier', 'later']), z.strictObject({ place: z.int().min(1) })]),
    })),
    success: gives('`{facts}`: what happened', FactsBody),
    refuses: commandRefusals,
    answer: (session, { params: { id }, body: { to } }) =>
      submitted(session, { kind: 'agenda.move', id, to }),
  }),
  defineRoute({
    ...postRoute('resendExchange', '/traffic/{seq}/resend'),
    summary:
      'Sends an exchange again: a call of ours with a fresh token, signature and date, a webhook as another handover of its event, a call of your service as it was, which counts in no verdict',
    params: strictObject(() => ({ seq: z.coerce.number().int().min(1) })),
    body: z.strictObject({}),
    success: gives(
      '`{seq, status, failure, tookMs}` of the new exchange; `{}` while a fault or the service holds it back',
      controlSchemas.ResentExchange,
    ),
    refuses: commandRefusals,
    async answer(session, { params: { seq } }) {
      const sent = await session.resend(seq)
      return sent.ok ? jsonAnswer(sent.value) : refusalAnswer(sent.error)
    },
  }),
  defineRoute({
    ...postRoute('noteExchange', '/traffic/{seq}/note'),
    summary:
      'Writes a note at an exchange, in place of one before; an empty text takes it away. It is kept in the recording, redacted as its messages are',
    params: strictObject(() => ({ seq: z.coerce.number().int().min(1) })),
    body: strictObject(() => ({ text: z.string().max(maxNoteChars) })),
    success: gives('`{seq, note}`', controlSchemas.ExchangeNote),
    refuses: commandRefusals,
    async answer(session, { params: { seq }, body: { text } }) {
      const noted = await session.note(seq, text)
      return noted.ok ? jsonAnswer(noted.value) : refusalAnswer(noted.error)
    },
  }),
  defineRoute({
    ...postRoute('setClock', '/clock'),
    summary:
      'Sets the mode or the speed of the clock, and then lets `advance` of its time pass, or as much of it as one call may',
    body: ClockBody,
    success: {
      status: 200,
      what: 'the clock; after `advance` also `remaining`: the milliseconds that have not passed, to be asked for again',
      response: ClockBodyOf({ remaining: z.number().optional() }),
    },
    async answer(session, { body: { mode, speed, advance } }) {
      if (mode !== undefined || speed !== undefined)
        await session.setClock(compact({ mode, speed }))
      if (advance === undefined) return jsonAnswer((await session.look({})).info.clock)
      const { now } = (await session.look({})).info.clock
      await session.advance(advance, advanceLimits)
      const { clock } = (await session.look({})).info
      return jsonAnswer({ ...clock, remaining: Math.max(0, now + advance - clock.now) })
    },
  }),
  defineRoute({
    ...postRoute('resetSession', '/reset'),
    summary: 'A fresh world, from the next seed unless one is given: no id comes again',
    body: strictObject(() => ({ seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional() })),
    success: gives('the session', controlSchemas.Session),
    async answer(session, { body: { seed } }) {
      await session.reset(seed)
      const { info } = await session.look({})
      return jsonAnswer(info)
    },
  }),
  defineRoute({
    ...postRoute('stopSession', '/stop'),
    summary: 'Ends the session, as SIGTERM does: its recording is completed and its ports are left',
    body: z.strictObject({}),
    success: { status: 204, what: 'it ends now' },
    refuses: ['CONFLICT'],
    async answer(session) {
      if (!session.stop)
        return errorAnswer('CONFLICT', 'the program that opened this session closes it')
      await session.stop()
      return noContent
    },
  }),
  defineRoute({
    ...postRoute('forkSession', '/fork'),
    summary:
      'Goes back: the world becomes what it was after the fact `at`, and its clock is paused; what went over the wire is not undone',
    body: strictObject(() => ({ at: z.int().min(1) })),
    success: {
      status: 200,
      what: '`{at}`: the last fact that the world has now',
      response: z.object({ at: z.int().min(1) }),
    },
    refuses: commandRefusals,
    async answer(session, { body: { at } }) {
      const forked = await session.fork(at)
      return forked.ok ? jsonAnswer(forked.value) : refusalAnswer(forked.error)
    },
  }),
]

/** Routes for verdicts, explanations and operator actions. */
const verdictRoutes = [
  defineRoute({
    ...getRoute('listVerdicts', '/verdicts'),
    summary: 'What the invariants have come to: one verdict for each that binds your service',
    query: strictObject(() => ({
      outcome: z.enum(verdictOutcomes).optional(),
      id: z.string().min(1).optional().describe('short name or name: `SE-1`'),
    })),
    success: gives(
      'a list of verdicts, with clauses and evidence',
      z.array(controlSchemas.Verdict),
    ),
    async answer(session, { query: { outcome, id } }) {
      const unknown = id === undefined ? undefined : await unknownRule(id)
      if (unknown !== undefined) return errorAnswer('INVALID_PAYLOAD', unknown)
      const { verdicts } = await session.look({ verdicts: true })
      return jsonAnswer(
        verdicts.filter(
          (each) =>
            (outcome === undefined || each.outcome === outcome) &&
            (id === undefined || each.name === id || each.id === id.toUpperCase()),
        ),
      )
    },
  }),
  defineRoute({
    ...getRoute('getVerdict', '/verdict'),
    summary:
      'The verdict of the session in one object: whether your service passed, the exit code for a script, and the broken rules with clauses and evidence',
    query: strictObject(() => ({
      exercised: z
        .string()
        .min(1)
        .optional()
        .describe('rules that must have been exercised for a pass, joined by commas: `SE-1,CV-1`'),
    })),
    success: gives(
      '`{passed, exit, because, counts, notExercised, broken, text}`; `exit` is 0 passed, 1 a rule is broken, 2 not judged: no rule is checked, none was exercised, or not one of `exercised`, or one is open, 3 your service was never in contact',
      controlSchemas.SessionVerdict,
    ),
    async answer(session, { query: { exercised } }) {
      const { verdicts, info } = await session.look({ verdicts: true })
      const claimed = exercised?.split(',').map((each) => each.trim())
      for (const rule of claimed ?? []) {
        const unknown = await unknownRule(rule)
        if (unknown !== undefined) return errorAnswer('INVALID_PAYLOAD', unknown)
      }
      return jsonAnswer(sessionVerdict(verdicts, info, contactStatus(info), claimed))
    },
  }),
  defineRoute({
    ...postRoute('judge', '/judge'),
    summary:
      'Asks your service for its own view of orders, where it lets us, and answers every verdict; it ends nothing',
    body: z.strictObject({}),
    success: gives('a list of verdicts', z.array(controlSchemas.Verdict)),
    answer: async (session) => jsonAnswer(await session.judge()),
  }),
  defineRoute({
    ...getRoute('listOperatorActions', '/operator-actions'),
    summary:
      'What was done to this world by hand, oldest first: what a scenario of it is made from',
    success: gives('a list of operator actions', z.array(controlSchemas.OperatorAction)),
    answer: async (session) =>
      jsonAnswer((await session.look({ operatorActions: true })).operatorActions),
  }),
  defineRoute({
    ...getRoute('explain', '/explain/{order}'),
    summary:
      'The story of an order (its id, or its slot `o2`), an event (its id) or an exchange (its number), and where the two sides’ views split',
    params: strictObject(() => ({ order: z.string().min(1).max(200) })),
    success: gives('the story', controlSchemas.Explanation),
    async answer(session, { params: { order } }) {
      const { explanation } = await session.look({ explain: order })
      return explanation
        ? jsonAnswer(explanation)
        : errorAnswer(
            'NOT_FOUND',
            `there is no order, account, customer, loyalty account, coupon, event or exchange ${order}`,
          )
    },
  }),
]

/** The route of the control API that Prometheus scrapes: the metrics of the session and of the process. */
const metricsRoute = defineRoute({
  ...getRoute('getMetrics', '/metrics'),
  summary:
    'Counts, levels and latencies for monitoring, as Prometheus text: exchanges, failures, orders, agenda, faults, rules, memory',
  success: { status: 200, what: 'metrics in the Prometheus text format 0.0.4', type: 'text/plain' },
  refuses: ['UNAVAILABLE'],
  async answer(session) {
    const { info, metrics } = await session.look({ metrics: true })
    if (!metrics) return errorAnswer('UNAVAILABLE', 'this session counts nothing')
    const text = expositionText([...sessionMetricFamilies(info, metrics), ...processMetrics()])
    return { status: 200, text, headers: { 'content-type': expositionType } }
  },
})

const openApiRoute = defineRoute({
  ...getRoute('getOpenApi', '/openapi.json'),
  summary: 'This description',
  success: { status: 200, what: 'OpenAPI 3.1', response: z.looseObject({ openapi: z.string() }) },
  async answer(session) {
    const { version, control } = (await session.look({})).info
    return jsonAnswer(describeRoutes(controlRoutes, { version, ...compact({ url: control }) }))
  },
})

export const controlRoutes: readonly ControlRoute[] = [
  ...readRoutes,
  ...writeRoutes,
  ...faultRoutes,
  ...verdictRoutes,
  ...waitRoutes,
  metricsRoute,
  openApiRoute,
]
