/**
 * In-memory fake of a session for tests of the dashboard: orders with the protocol's lifecycle, an editable agenda,
 * facts and exchanges in windows. It implements the interface of a real session.
 */
import { compact } from '../../../src/core/base/compact.ts'
import type { AgendaCommand } from '../../../src/core/engine/agenda/commands.ts'
import type { Command } from '../../../src/core/engine/command.ts'
import type { Fact } from '../../../src/core/engine/fact.ts'
import { isoOf } from '../../../src/core/engine/instant.ts'
import type { Refusal } from '../../../src/core/engine/refusal.ts'
import {
  orderLifecycle,
  type OrderTrigger,
  orderLifecycles,
} from '../../../src/core/protocol/orders/lifecycle.ts'
import type { Role } from '../../../src/core/protocol/role.ts'
import type { OrderStatus, OrderType } from '../../../src/core/protocol/orders/order.ts'
import { err, ok, type Result } from '../../../src/core/protocol/result.ts'
import type {
  AgendaRow,
  ClockMode,
  CounterpartInfo,
  JournalRow,
  OperatorAction,
  OrderRow,
  SessionApi,
  SessionInfo,
} from '../../../src/core/session-api/session-api.ts'
import type { Exchange, Party } from '../../../src/core/traffic/exchange.ts'
import { sortedByDue, editAgenda } from './agenda-edits.ts'
import { triggerExchange, type ExchangeParts, pollExchange, webhookExchange } from './exchanges.ts'
import { type PastWorld, snapshotOf, type OrderStatusHistory } from './snapshot.ts'

const { transitionsFrom: legalOrderTransitions } = orderLifecycles.strict

export interface FakeSessionOptions {
  readonly mode?: ClockMode
  readonly subject?: boolean
  readonly recording?: SessionInfo['recording']
}

export interface FakeSession extends SessionApi {
  /** Advances the time, when the clock runs. */
  readonly pass: (ms: number) => void
  /** Adds a poll, which belongs to no order. */
  readonly poll: (status?: number, failure?: string) => void
  /** Submitted commands, in order. */
  readonly submitted: readonly Command[]
}

const start = Date.UTC(2026, 10, 21, 12, 0, 0)

/** Next trigger from each status, and its delay in ms. */
const nextTriggers: Partial<Record<OrderStatus, readonly [OrderTrigger, number]>> = {
  CREATED: ['confirm', 1200],
  CONFIRMED: ['preparing', 2100],
  PREPARING: ['ready-for-pickup', 5400],
  READY: ['delivered', 8000],
  DELIVERED: ['conclude', 20_000],
}

/** Edits of one item; edits of several items and undo are tested on a real session. */
const isEdit = (command: Command): command is Extract<AgendaCommand, { readonly id: number }> =>
  command.kind.startsWith('agenda.') && 'id' in command

const targetOf = (trigger: OrderTrigger): OrderStatus | undefined =>
  orderLifecycle.find((row) => row.trigger === trigger)?.to

export function createFakeSession(options: FakeSessionOptions = {}): FakeSession {
  let now = start
  let mode: ClockMode = options.mode ?? 'real'
  let speed = 1
  let refused = 0
  let nextItem = 1
  const orders = new Map<string, { row: OrderRow; statusHistory: OrderStatusHistory }>()
  let agenda: readonly AgendaRow[] = []
  const journal: JournalRow[] = []
  const exchanges: Exchange[] = []
  const past: PastWorld[] = []
  const commands = new Map<number, Command>()
  const submitted: Command[] = []
  const listeners = new Set<() => void>()
  const store: Party = {
    role: 'software-service',
    party: options.subject === true ? 'subject' : 'sparring',
  }

  const notifyListeners = (): void => {
    for (const listener of listeners) listener()
  }

  const operatorActions = (): readonly OperatorAction[] => [
    ...Array.from(orders.keys(), (orderId): OperatorAction => ({
      at: start,
      after: 0,
      what: { kind: 'order', wish: {}, orderId },
    })),
    ...submitted.map((command): OperatorAction => ({
      at: start,
      after: 0,
      what: { kind: 'command', command },
    })),
  ]

  const record = (kind: Fact['kind'], text: string, by: string, orderId?: string): void => {
    const seq = journal.length + 1
    journal.push({ seq, at: now, kind, text, by, ...compact({ orderId }) })
    past.push({ orders: new Map(orders), agenda })
    notifyListeners()
  }

  const exchange = (parts: ExchangeParts | undefined): void => {
    if (!parts) return
    const seq = exchanges.length + 1
    exchanges.push({ ...parts, seq, startedAt: now + 0.25, tookMs: 4 + (seq % 23) })
    notifyListeners()
  }

  const planNext = (orderId: string): void => {
    const status = orders.get(orderId)?.row.status
    const nextTrigger = status === undefined ? undefined : nextTriggers[status]
    if (!nextTrigger) return
    const [trigger, after] = nextTrigger
    const id = nextItem++
    const text = `${trigger} is applied`
    commands.set(id, { kind: 'order.apply', orderId, trigger })
    const item: AgendaRow = {
      id,
      due: now + after,
      held: false,
      background: false,
      kind: 'order.apply',
      text,
      orderId,
      effect: `${status} > ${targetOf(trigger)}`,
    }
    agenda = sortedByDue([...agenda, item])
    record('agenda.planned', `${text} is planned`, 'agenda', orderId)
  }

  const move = (
    orderId: string,
    trigger: OrderTrigger,
    force: boolean,
  ): Result<readonly Fact[], Refusal> => {
    const found = orders.get(orderId)
    if (!found) return err({ code: 'NOT_FOUND', message: 'there is no such order' })
    const { row, statusHistory } = found
    const valid = legalOrderTransitions(row.status, row.profile).find(
      (each) => each.trigger === trigger,
    )
    const to = valid?.to ?? (force ? targetOf(trigger) : undefined)
    if (!to) {
      refused++
      return err({ code: 'INVALID_TRANSITION', message: `no ${trigger} from ${row.status}` })
    }
    orders.set(orderId, {
      row: { ...row, status: to, since: now, lastEvent: to },
      statusHistory: [...statusHistory, { status: to, at: now, trigger }],
    })
    if (!force) exchange(triggerExchange(store, orderId, trigger, isoOf(now)))
    record(
      'order.moved',
      `${row.status} > ${to} by ${trigger}`,
      force ? 'operator' : 'agenda',
      orderId,
    )
    exchange(webhookExchange(store, orderId, to, isoOf(now)))
    if (!force) planNext(orderId)
    return ok([])
  }

  const take = (row: AgendaRow): void => {
    agenda = agenda.filter(({ id }) => id !== row.id)
    record('agenda.taken', `${row.text} came due`, 'agenda', row.orderId)
    const command = commands.get(row.id)
    if (command?.kind === 'order.apply') move(command.orderId, command.trigger, false)
  }

  const pass = (ms: number): void => {
    const until = now + ms
    for (;;) {
      const due = agenda.find((row) => !row.held && row.due <= until)
      if (!due) break
      now = Math.max(now, due.due)
      take(due)
    }
    now = until
    notifyListeners()
  }

  const submit = (command: Command): Result<readonly Fact[], Refusal> => {
    submitted.push(command)
    if (command.kind === 'order.apply')
      return move(command.orderId, command.trigger, command.force === true)
    if (!isEdit(command))
      return err({ code: 'UNPROCESSABLE', message: `${command.kind} is not for keys` })
    const next = editAgenda(agenda, command, nextItem)
    if (!next) return err({ code: 'NOT_FOUND', message: 'that item is gone' })
    agenda = next
    if (command.kind === 'agenda.duplicate') {
      const planned = commands.get(command.id)
      if (planned) commands.set(nextItem, planned)
      nextItem++
    }
    record('agenda.edited', `#${command.id}: ${command.kind}`, 'operator')
    return ok([])
  }

  const create = (profile: OrderType): string => {
    const count = orders.size + 1
    const orderId = `${count.toString(16).padStart(8, '0')}-5f1e-4c5b-9a39-2f4d7f0a11ce`
    const row: OrderRow = {
      orderId,
      displayId: String(1000 + count),
      profile,
      status: 'CREATED',
      merchant: ['Padaria Central', 'Açaí do Bairro', 'Burger Norte'][count % 3] ?? '',
      customer: 'Ana Souza',
      amount: `BRL ${(18 + count * 7.45).toFixed(2)}`,
      createdAt: now,
      since: now,
    }
    orders.set(orderId, { row, statusHistory: [{ status: 'CREATED', at: now }] })
    record('order.created', `created for ${row.merchant}`, 'operator', orderId)
    planNext(orderId)
    return orderId
  }

  const info = (): SessionInfo => {
    const open = [...orders.values()].filter(
      ({ row: { status } }) => status !== 'CANCELLED' && status !== 'CONCLUDED',
    )
    const counterpart = (role: Role, port: number): CounterpartInfo => ({
      role,
      url: `http://127.0.0.1:${port}`,
      behaviour: 'prompt',
    })
    const host = counterpart('ordering-application', 7101)
    const counterparts =
      options.subject === true ? [host] : [host, counterpart('software-service', 7102)]
    return {
      version: '0.1.0',
      protocol: { name: 'protocol', version: 'v2' },
      seed: 42,
      clock: { mode, speed, now },
      channel: 'webhook',
      counterparts,
      ...(options.subject === true
        ? { subject: { role: store.role, url: 'http://127.0.0.1:3000' } }
        : {}),
      ...compact({ recording: options.recording }),
      counts: {
        facts: journal.length,
        exchanges: exchanges.length,
        pending: agenda.filter(({ held }) => !held).length,
        loops: agenda.filter(({ held, background }) => background && !held).length,
        held: agenda.filter(({ held }) => held).length,
        orders: orders.size,
        open: open.length,
        failed: { rejected: refused, errors: 0, redirected: 0, unanswered: 0, byFault: 0 },
        actions: operatorActions().length,
      },
    }
  }

  return {
    look: (view) =>
      Promise.resolve({
        ...snapshotOf(view, { info: info(), orders, agenda, journal, exchanges, past }),
        operatorActions: view.operatorActions ? operatorActions() : [],
      }),
    submit: (command) => Promise.resolve(submit(command)),
    createOrder: (wish) => Promise.resolve(ok({ orderId: create(wish?.type ?? 'DELIVERY') })),
    step: () => {
      const first = agenda.find(({ held }) => !held)
      if (first) {
        now = Math.max(now, first.due)
        take(first)
      }
      return Promise.resolve(first)
    },
    setClock: (change) => {
      mode = change.mode ?? mode
      speed = change.speed ?? speed
      notifyListeners()
      return Promise.resolve()
    },
    note(seq, text) {
      const place = exchanges.findIndex((each) => each.seq === seq)
      const noted = exchanges[place]
      if (!noted) return Promise.resolve(err({ code: 'NOT_FOUND', message: 'it is not in memory' }))
      const { note: _, ...rest } = noted
      exchanges[place] = { ...rest, ...(text === '' ? {} : { note: text }) }
      notifyListeners()
      return Promise.resolve(ok({ seq, ...(text === '' ? {} : { note: text }) }))
    },
    resend(seq) {
      const original = exchanges.find((each) => each.seq === seq)
      if (!original)
        return Promise.resolve(err({ code: 'NOT_FOUND', message: 'it is not in memory' }))
      exchange(original.from.party === 'subject' ? { ...original, resendOf: seq } : original)
      const { seq: own, tookMs, reply } = exchanges.at(-1)!
      return Promise.resolve(ok({ seq: own, tookMs, ...compact({ status: reply?.status }) }))
    },
    judge: () => Promise.resolve([]),
    advance: (ms) => Promise.resolve(pass(ms)),
    reset: () => Promise.resolve(),
    fork: () => Promise.resolve(err({ code: 'UNPROCESSABLE', message: 'this session goes on' })),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pass: (ms) => {
      if (mode === 'real') pass(ms * speed)
    },
    poll: (status = 200, failure) => exchange(pollExchange(store, status, failure)),
    submitted,
  }
}
