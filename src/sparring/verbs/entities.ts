/**
 * The entities of a session other than orders, a group of verbs (list, show, move) for each kind: `sparring accounts`,
 * `deliveries`, `customers` …
 */
import { compact } from '../../core/base/compact.ts'
import { clockOf } from '../../core/engine/instant.ts'
import { problem } from '../../core/base/problem.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { printMoves, printStatusHistory } from './support/detail-tables.ts'
import { defaultLimit, limitFlag } from '../../terminal/cli/flags.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { defineVerbGroup, type Verb } from '../../terminal/cli/verb.ts'
import type {
  Move,
  SessionEntityKind,
  EntityDetail,
  EntityRow,
} from '../../core/session-api/entities.ts'

interface Kind {
  readonly kind: SessionEntityKind
  readonly one: string
  /** The name of the group of verbs. */
  readonly many: string
  readonly summary: string
}

const kinds: readonly Kind[] = [
  {
    kind: 'account',
    one: 'account',
    many: 'accounts',
    summary:
      'dining accounts: list, show, move (pay, pre-close, close, issue the fiscal document …)',
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

const idArgumentSummary = (one: string): string => `id of the ${one}, or the beginning of it`

const showOf = ({ kind, one }: Kind): Verb =>
  defineSessionVerb({
    name: 'show',
    summary: `one ${one}: its history and the transitions that are possible`,
    arguments: [{ name: 'id', summary: idArgumentSummary(one), required: true }],
    async run({ id }, { connect, print, printRefusal, io }) {
      const detail = await findEntity(await connect(), kind, id)
      if (!detail) return printRefusal({ code: 'NOT_FOUND', message: `there is no ${one} ${id}` })
      return print(detail, () => printDetail(io, detail))
    },
  })

const moveOf = ({ kind, one, many }: Kind): Verb =>
  defineSessionVerb({
    name: 'move',
    summary: `apply a transition to the ${one}, whichever role may make it`,
    arguments: [
      { name: 'id', summary: idArgumentSummary(one), required: true },
      { name: 'trigger', summary: `a transition that sparring ${many} show lists`, required: true },
    ],
    flags: [
      { name: 'force', summary: 'force the transition where the protocol does not allow it' },
    ],
    async run({ id, trigger, force }, { connect, submit, printRefusal }) {
      const detail = await findEntity(await connect(), kind, id)
      if (!detail) return printRefusal({ code: 'NOT_FOUND', message: `there is no ${one} ${id}` })
      const move = detail.moves.find((each) => each.trigger === trigger)
      if (!move) return printRefusal(unknownTrigger(one, trigger, detail.moves))
      if (move.invalid !== undefined && !force) {
        const message = `${move.invalid}; use --force to force it`
        return printRefusal({ code: 'INVALID_TRANSITION', message })
      }
      return submit(move.command, `${detail.row.id}: ${trigger}`)
    },
  })

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
  const matching = entities.filter(({ id }) => typed.length >= 4 && id.startsWith(typed))
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

async function printDetail(io: Io, { row, statusHistory, moves }: EntityDetail): Promise<void> {
  await printLine(
    io.stdout,
    escapeControls(`${row.id}  ${row.label}  ${row.status}  ${row.text}`) + '\n',
  )
  await printStatusHistory(io, statusHistory)
  await printMoves(io, moves)
}

export const entityVerbs: readonly Verb[] = kinds.map((kind) =>
  defineVerbGroup({
    name: kind.many,
    summary: kind.summary,
    verbs: [listOf(kind), showOf(kind), moveOf(kind)],
  }),
)
