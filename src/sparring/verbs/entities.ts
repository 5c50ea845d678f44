/**
 * The entities of a session other than orders, a group of verbs (list, show, move) for each kind: `sparring accounts`,
 * `deliveries`, `customers` …
 */
import { compact } from '../../core/base/compact.ts'
import { clockOf } from '../../core/engine/instant.ts'
import { problem } from '../../core/base/problem.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { printMoves, printPart, printStatusHistory } from './support/detail-tables.ts'
import { defaultLimit, limitFlag } from '../../terminal/cli/flags.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { defineVerbGroup, type OptionsOf, type Verb } from '../../terminal/cli/verb.ts'
import type { Command } from '../../core/engine/command.ts'
import {
  type EntityDetail,
  type EntityRow,
  type Move,
  moveParameterNames,
  type SessionEntityKind,
} from '../../core/session-api/entities.ts'

interface Kind {
  readonly kind: SessionEntityKind
  readonly one: string
  /** The name of the group of verbs. */
  readonly many: string
  readonly summary: string
  /** What else names one. */
  readonly idSummary?: string
}

const kinds: readonly Kind[] = [
  {
    kind: 'account',
    one: 'account',
    many: 'accounts',
    summary: 'dining accounts: list, show, move (pay, transfer, pre-close, close …)',
    idSummary: ', or its place: 7, TAB:12 or "TABLE 7"',
  },
  {
    kind: 'delivery',
    one: 'delivery',
    many: 'deliveries',
    summary: 'deliveries: list, show, move (designate a courier, report a problem, cancel …)',
  },
  {
    kind: 'customer',
    one: 'customer',
    many: 'customers',
    summary: 'customers of the CRM: list, show, move (opt out, make inactive …)',
  },
  { kind: 'lead', one: 'lead', many: 'leads', summary: 'leads of the CRM: list, show, move' },
  { kind: 'review', one: 'review', many: 'reviews', summary: 'reviews: list, show, move' },
  {
    kind: 'loyalty-account',
    one: 'loyalty account',
    many: 'loyalty',
    summary: 'loyalty accounts: list, show, move (suspend, reactivate, adjust points …)',
  },
  { kind: 'coupon', one: 'coupon', many: 'coupons', summary: 'coupons: list, show, move' },
]

const columns = [
  { title: 'ID', cell: ({ id }: EntityRow) => id },
  { title: 'WHO', cell: ({ label }: EntityRow) => label },
  { title: 'STATUS', cell: ({ status }: EntityRow) => status },
  { title: 'WHAT', cell: ({ text }: EntityRow) => text },
  { title: 'ORDER', cell: ({ orderId }: EntityRow) => orderId },
  { title: 'SINCE', cell: ({ since }: EntityRow) => clockOf(since) },
] as const

const listOf = ({ kind, many }: Kind): Verb =>
  defineSessionVerb({
    name: 'list',
    summary: `${many}, newest first`,
    flags: [{ name: 'status', value: '<status>', summary: 'only with this status' }, limitFlag],
    async run({ status, limit = defaultLimit }, { connect, printRows }) {
      const { entities } = await (
        await connect()
      ).look({ entities: compact({ kind, limit, status }) })
      return printRows(entities, columns, `no ${many}`)
    },
  })

const idArgumentSummary = ({ one, idSummary = '' }: Kind): string =>
  `id of the ${one}, or the beginning of it${idSummary}`

/** Flags for what can be chosen of a move. */
const parameterFlags = [
  {
    name: 'amount',
    value: '<money>',
    summary: 'pay, discount or correct this amount',
    number: { min: 0, max: 1_000_000_000, fraction: true },
  },
  {
    name: 'item',
    value: '<id>',
    summary: 'of this item, or of these; repeatable',
    many: true,
  },
  { name: 'to', value: '<account>', summary: 'transfer to this account' },
] as const

type Chosen = OptionsOf<[], typeof parameterFlags>

const showOf = (of: Kind): Verb =>
  defineSessionVerb({
    name: 'show',
    summary: `one ${of.one}: its history and the transitions that are possible`,
    arguments: [{ name: 'id', summary: idArgumentSummary(of), required: true }],
    async run({ id }, { connect, print, printRefusal, io }) {
      const detail = await findEntity(await connect(), of.kind, id)
      if (!detail) return printRefusal(notFound(of, id))
      return print(detail, () => printDetail(io, detail))
    },
  })

const notFound = ({ one }: Kind, id: string) =>
  ({ code: 'NOT_FOUND', message: `there is no ${one} ${id}` }) as const

const moveOf = (of: Kind): Verb => {
  const { kind, one, many } = of
  return defineSessionVerb({
    name: 'move',
    summary: `apply a transition to the ${one}, whichever role may make it`,
    arguments: [
      { name: 'id', summary: idArgumentSummary(of), required: true },
      { name: 'trigger', summary: `a transition that sparring ${many} show lists`, required: true },
    ],
    flags: [
      ...(kind === 'account' ? parameterFlags : []),
      { name: 'force', summary: 'force the transition where the protocol does not allow it' },
    ],
    async run({ id, trigger, force, ...flags }, { connect, submit, printRefusal }) {
      const face = await connect()
      const detail = await findEntity(face, kind, id)
      if (!detail) return printRefusal(notFound(of, id))
      const move = detail.moves.find((each) => each.trigger === trigger)
      if (!move) return printRefusal(unknownTrigger(one, trigger, detail.moves))
      const { amount, item, to: typed } = flags as Chosen
      const target = typed === undefined ? undefined : await findEntity(face, kind, typed)
      if (typed !== undefined && !target && !force) return printRefusal(notFound(of, typed))
      const chosen = compact({ amount, item, to: target?.row.id ?? typed })
      const strange = untakenText(move, chosen)
      if (strange !== undefined)
        return printRefusal({ code: 'INVALID_TRANSITION', message: strange })
      const wrong = move.invalid ?? wrongChoiceText(move, chosen)
      if (wrong !== undefined && !force) {
        const message = `${wrong}; use --force to force it`
        return printRefusal({ code: 'INVALID_TRANSITION', message })
      }
      return submit(commandWith(move.command, chosen), `${detail.row.id}: ${trigger}`)
    },
  })
}

type Choice = { readonly amount?: number; readonly item?: readonly string[]; readonly to?: string }

/** What was chosen that the move does not take, or not chosen that it needs. */
function untakenText({ trigger, takes = [] }: Move, chosen: Choice): string | undefined {
  const needed = takes.find((each) => each.needed && chosen[each.name] === undefined)
  if (needed) return `${trigger} needs --${needed.name}: no other one is open`
  const strange = moveParameterNames.find(
    (name) => chosen[name] !== undefined && !takes.some((each) => each.name === name),
  )
  if (strange === undefined) return undefined
  const taken = takes.map(({ name }) => `--${name}`).join(' and ') || 'nothing to choose'
  return `${trigger} does not take --${strange}; it takes ${taken}`
}

/** Why a choice would be a mistake. */
function wrongChoiceText({ takes = [] }: Move, { amount, item = [] }: Choice): string | undefined {
  for (const { name, most = Infinity, known } of takes) {
    if (name === 'amount' && amount !== undefined && amount > most)
      return `${amount.toFixed(2)} is more than the ${most.toFixed(2)} that are due`
    const strange = name === 'item' && item.find((each) => known?.includes(each) === false)
    if (strange) return `it has no item ${strange}; its items: ${known?.join(', ') || 'none'}`
  }
  return undefined
}

/** The command of a move with what was chosen. */
function commandWith(command: Command, { amount, item, to }: Choice): Command {
  const itemId = item?.at(-1)
  switch (command.kind) {
    case 'table.pay':
    case 'account.discount':
    case 'account.adjust-payment':
      return { ...command, ...compact({ amount }) }
    case 'account.pay':
      return { ...command, payment: { ...command.payment, ...compact({ amount }) } }
    case 'table.cancel-item':
    case 'account.cancel-item':
      return { ...command, ...compact({ itemId }) }
    case 'table.transfer':
      return { ...command, ...compact({ itemIds: item, targetTableId: to }) }
    case 'account.transfer': {
      const items = item?.map((each) => ({ itemId: each }))
      const transfer = items ? { whole: false, items } : command.transfer
      return { ...command, transfer, ...compact({ targetAccountId: to }) }
    }
    default:
      return command
  }
}

/** Finds an entity by its full id or by an unambiguous prefix of at least 4 characters. */
async function findEntity(
  face: SessionApi,
  kind: SessionEntityKind,
  typed: string,
): Promise<EntityDetail | undefined> {
  const { entity, entities } = await face.look({
    entity: { kind, id: typed },
    entities: { kind, limit: 1000 },
  })
  if (entity) return entity
  const begun = entities.filter(({ id }) => typed.length >= 4 && id.startsWith(typed))
  const { placeNamed } = await import('../../core/views/explain-account.ts')
  const named = [typed.toUpperCase(), ...(kind === 'account' ? [placeNamed(typed)] : [])]
  const labelled = entities.filter(({ label }) => named.includes(label.toUpperCase()))
  const open = labelled.filter(({ status }) => status !== 'CLOSED')
  const matching = [begun, open, labelled].find(({ length }) => length > 0) ?? []
  const [only] = matching
  if (matching.length > 1)
    throw problem(
      `finding the ${kind}`,
      `"${typed}" fits ${matching.map(({ id }) => id).join(' and ')}`,
      'Write the whole id.',
    )
  return only && (await face.look({ entity: { kind, id: only.id } })).entity
}

function unknownTrigger(one: string, trigger: string, moves: readonly Move[]) {
  const valid = moves.filter(({ invalid }) => invalid === undefined).map((each) => each.trigger)
  const could = valid.join(', ') || 'none'
  return {
    code: 'INVALID_TRANSITION',
    message: `the ${one} has no transition ${trigger}; valid transitions: ${could}`,
  } as const
}

async function printDetail(
  io: Io,
  { row, statusHistory, parts = [], moves }: EntityDetail,
): Promise<void> {
  await printLine(
    io.stdout,
    escapeControls(`${row.id}  ${row.label}  ${row.status}  ${row.text}`) + '\n',
  )
  await printStatusHistory(io, statusHistory)
  for (const part of parts) await printPart(io, part)
  await printMoves(io, moves)
}

export const entityVerbs: readonly Verb[] = kinds.map((kind) =>
  defineVerbGroup({
    name: kind.many,
    summary: kind.summary,
    verbs: [listOf(kind), showOf(kind), moveOf(kind)],
  }),
)
