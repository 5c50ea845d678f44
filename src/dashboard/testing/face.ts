/**
 * A session for the dashboard's own tests: orders that live through the protocol's lifecycle, an agenda that can be
 * edited, facts and exchanges that can be looked at in windows. It keeps everything in memory and obeys the same
 * interface as a real session, so that the dashboard cannot tell the two apart.
 */
import type { Command } from '../../engine/command.ts'
import type { Fact } from '../../engine/fact.ts'
import { isoOf } from '../../engine/instant.ts'
import type { Refusal } from '../../engine/refusal.ts'
import { legalMoves, type OrderTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type {
  AgendaRow,
  ClockMode,
  JournalRow,
  OrderRow,
  SessionFace,
  SessionInfo,
} from '../../session-face.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { type Past, snapshotOf, type Way } from './snapshot.ts'

export interface FakeOptions {
  readonly mode?: ClockMode
  readonly subject?: boolean
  readonly recording?: SessionInfo['recording']
}

export interface FakeFace extends SessionFace {
  /** Lets time pass by hand, when the clock runs. */
  readonly pass: (ms: number) => void
  /** Adds an exchange that belongs to no order. */
  readonly poll: (status?: number, failure?: string) => void
  /** What was submitted, in order. */
  readonly submitted: readonly Command[]
}

const start = Date.UTC(2026, 10, 21, 12, 0, 0)

/** What the two sides do next, from each status: who pulls it, and how long they take. */
const habits: Partial<Record<OrderStatus, readonly [OrderTrigger, number]>> = {
  CREATED: ['confirm', 1200],
  CONFIRMED: ['preparing', 2100],
  PREPARING: ['ready-for-pickup', 5400],
  READY: ['delivered', 8000],
  DELIVERED: ['conclude', 20_000],
}

const operations = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
} as const

export function createFakeFace(options: FakeOptions = {}): FakeFace {
  let now = start
  let mode: ClockMode = options.mode ?? 'real'
  let speed = 1
  let refused = 0
  let nextItem = 1
  const orders = new Map<string, { row: OrderRow; way: Way }>()
  let agenda: readonly AgendaRow[] = []
  const journal: JournalRow[] = []
  const exchanges: Exchange[] = []
  const past: Past[] = []
  const commands = new Map<number, Command>()
  const submitted: Command[] = []
  const listeners = new Set<() => void>()

  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  const record = (kind: Fact['kind'], text: string, by: string, orderId?: string): void => {
    const seq = journal.length + 1
    journal.push({ seq, at: now, kind, text, by, ...(orderId === undefined ? {} : { orderId }) })
    past.push({ orders: new Map(orders), agenda })
    changed()
  }

  const exchange = (parts: Partial<Exchange> & Pick<Exchange, 'request' | 'from' | 'to'>): void => {
    const seq = exchanges.length + 1
    exchanges.push({ seq, startedAt: now + 0.25, tookMs: 4 + (seq % 23), ...parts })
    changed()
  }

  const sorted = (rows: readonly AgendaRow[]): readonly AgendaRow[] =>
    rows.toSorted((a, b) => a.due - b.due)

  const plan = (row: Omit<AgendaRow, 'id' | 'held' | 'background'>, command: Command): void => {
    const id = nextItem++
    commands.set(id, command)
    agenda = sorted([...agenda, { id, held: false, background: false, ...row }])
    record('agenda.planned', `${row.text} is planned`, 'agenda', row.orderId)
  }

  const planNext = (orderId: string): void => {
    const status = orders.get(orderId)?.row.status
    const habit = status === undefined ? undefined : habits[status]
    if (!habit) return
    const [trigger, after] = habit
    const to = legalMoves(status ?? 'CREATED', 'TAKEOUT').find((row) => row.trigger === trigger)?.to
    plan(
      {
        due: now + after,
        kind: 'order.apply',
        text: `${trigger} is applied`,
        orderId,
        effect: `${status} > ${to}`,
      },
      { kind: 'order.apply', orderId, trigger },
    )
  }

  const role = { SS: 'software-service', OA: 'ordering-application' } as const
  const subject = options.subject === true ? ('subject' as const) : ('sparring' as const)

  const move = (
    orderId: string,
    trigger: OrderTrigger,
    force: boolean,
  ): Result<readonly Fact[], Refusal> => {
    const found = orders.get(orderId)
    if (!found) return no({ code: 'NOT_FOUND', message: 'there is no such order' })
    const { row, way } = found
    const lawful = legalMoves(row.status, row.profile).find((each) => each.trigger === trigger)
    const to = lawful?.to ?? (force ? forcedTarget(trigger) : undefined)
    if (!to) {
      refused++
      return no({ code: 'INVALID_TRANSITION', message: `no ${trigger} from ${row.status}` })
    }
    orders.set(orderId, {
      row: { ...row, status: to, since: now, lastEvent: to },
      way: [...way, { status: to, at: now, trigger }],
    })
    const operation = operations[trigger as keyof typeof operations]
    if (operation !== undefined && !force)
      exchange({
        from: { role: role.SS, party: subject },
        to: { role: role.OA, party: 'sparring' },
        operation,
        orderId,
        request: {
          method: 'POST',
          url: `http://127.0.0.1:7101/v2/orders/${orderId}/${trigger}`,
          headers: [['content-type', 'application/json']],
          body: JSON.stringify({ at: isoOf(now), note: 'sent by the Software Service' }),
        },
        reply: { status: 202, headers: [['content-length', '0']] },
      })
    record(
      'order.moved',
      `${row.status} > ${to} by ${trigger}`,
      force ? 'operator' : 'agenda',
      orderId,
    )
    exchange({
      from: { role: role.OA, party: 'sparring' },
      to: { role: role.SS, party: subject },
      operation: 'receiveOrderEvent',
      orderId,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:7102/webhooks/orders',
        headers: [['x-app-signature', 'abc123']],
        body: JSON.stringify({ eventType: to, orderId, createdAt: isoOf(now) }),
      },
      reply: { status: 204, headers: [] },
    })
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
    changed()
  }

  const edit = (id: number, change: (row: AgendaRow) => AgendaRow): boolean => {
    if (!agenda.some((row) => row.id === id)) return false
    agenda = sorted(agenda.map((row) => (row.id === id ? change(row) : row)))
    return true
  }

  const swap = (id: number, by: 1 | -1): void => {
    const index = agenda.findIndex((row) => row.id === id)
    const a = agenda[index]
    const b = agenda[index + by]
    if (!a || !b) return
    const moved = agenda.filter((row) => row !== a)
    const dues = agenda.map(({ due }) => due)
    agenda = moved
      .toSpliced(index + by, 0, a)
      .map((row, at) => ({ ...row, due: dues[at] ?? row.due }))
  }

  const submit = (command: Command): Result<readonly Fact[], Refusal> => {
    submitted.push(command)
    const missing = no<Refusal>({ code: 'NOT_FOUND', message: 'that item is gone' })
    switch (command.kind) {
      case 'agenda.hold':
        if (!edit(command.id, (row) => ({ ...row, held: true }))) return missing
        record('agenda.held', `#${command.id} is held`, 'operator')
        return ok([])
      case 'agenda.release':
        if (!edit(command.id, (row) => ({ ...row, held: false }))) return missing
        record('agenda.released', `#${command.id} is released`, 'operator')
        return ok([])
      case 'agenda.drop':
        agenda = agenda.filter(({ id }) => id !== command.id)
        record('agenda.dropped', `#${command.id} is dropped`, 'operator')
        return ok([])
      case 'agenda.delay':
        if (!edit(command.id, (row) => ({ ...row, due: row.due + command.byMs }))) return missing
        record('agenda.delayed', `#${command.id} is put off`, 'operator')
        return ok([])
      case 'agenda.duplicate': {
        const original = agenda.find(({ id }) => id === command.id)
        if (!original) return missing
        const id = nextItem++
        const planned = commands.get(command.id)
        if (planned) commands.set(id, planned)
        const copy = { ...original, id, copyOf: command.id }
        agenda = agenda.toSpliced(agenda.indexOf(original) + 1, 0, copy)
        record('agenda.planned', `#${id} is a copy of #${command.id}`, 'operator')
        return ok([])
      }
      case 'agenda.move':
        swap(command.id, command.to === 'later' ? 1 : -1)
        record('agenda.moved', `#${command.id} has another place`, 'operator')
        return ok([])
      case 'order.apply':
        return move(command.orderId, command.trigger, command.force === true)
      default:
        return no({ code: 'UNPROCESSABLE', message: `${command.kind} is not for keys` })
    }
  }

  const create = (profile: OrderType): string => {
    const count = orders.size + 1
    const orderId = `${count.toString(16).padStart(8, '0')}-5f1e-4c5b-9a39-2f4d7f0a11ce`
    const row: OrderRow = {
      orderId,
      displayId: String(1000 + count),
      profile,
      status: 'CREATED',
      merchant:
        ['Padaria Central', 'Açaí do Bairro', 'Burger Norte'][count % 3] ?? 'Padaria Central',
      customer: 'Ana Souza',
      amount: `BRL ${(18 + count * 7.45).toFixed(2)}`,
      createdAt: now,
      since: now,
    }
    orders.set(orderId, { row, way: [{ status: 'CREATED', at: now }] })
    record('order.created', `created for ${row.merchant}`, 'operator', orderId)
    planNext(orderId)
    return orderId
  }

  const info = (): SessionInfo => {
    const rows = [...orders.values()].map(({ row }) => row)
    const isOpen = ({ status }: OrderRow): boolean =>
      status !== 'CANCELLED' && status !== 'CONCLUDED'
    return {
      version: '0.1.0',
      protocol: { name: 'protocol', version: 'v2' },
      seed: 42,
      clock: { mode, speed, now },
      channel: 'webhook',
      counterparts: [
        { role: 'ordering-application', url: 'http://127.0.0.1:7101', temperament: 'prompt' },
        ...(options.subject === true
          ? []
          : [{ role: role.SS, url: 'http://127.0.0.1:7102', temperament: 'prompt' } as const]),
      ],
      ...(options.subject === true
        ? { subject: { role: role.SS, url: 'http://127.0.0.1:3000' } }
        : {}),
      ...(options.recording ? { recording: options.recording } : {}),
      counts: {
        facts: journal.length,
        exchanges: exchanges.length,
        pending: agenda.length,
        held: agenda.filter(({ held }) => held).length,
        orders: orders.size,
        open: rows.filter(isOpen).length,
        refused,
      },
    }
  }

  return {
    look: (view) =>
      Promise.resolve(snapshotOf(view, { info: info(), orders, agenda, journal, exchanges, past })),
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
      changed()
      return Promise.resolve()
    },
    advance: (ms) => Promise.resolve(pass(ms)),
    reset: () => Promise.resolve(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pass: (ms) => {
      if (mode === 'real') pass(ms * speed)
    },
    poll(status = 200, failure) {
      exchange({
        from: { role: role.SS, party: subject },
        to: { role: role.OA, party: 'sparring' },
        operation: 'pollingEvents',
        request: { method: 'GET', url: 'http://127.0.0.1:7101/v2/events:polling', headers: [] },
        ...(failure === undefined
          ? { reply: { status, headers: [], body: '[]' } }
          : { failure: { code: failure, message: 'the other side is gone' } }),
      })
    },
    submitted,
  }
}

const forcedTarget = (trigger: OrderTrigger): OrderStatus =>
  (
    ({
      confirm: 'CONFIRMED',
      preparing: 'PREPARING',
      'ready-for-pickup': 'READY',
      dispatch: 'IN_DELIVERY',
      collect: 'IN_DELIVERY',
      delivered: 'DELIVERED',
      cancel: 'CANCELLED',
      conclude: 'CONCLUDED',
    }) as const
  )[trigger]
