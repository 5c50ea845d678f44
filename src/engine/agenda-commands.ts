/**
 * Chaos by hand: editing the future. Drop removes an item, duplicate copies it, delay puts it off, move changes the
 * order, hold takes the due time away. A key, a fault rule and a scenario step all come through here.
 */
import { no, ok, type Result, unreachable } from '../protocol/result.ts'
import { neighbour, rotation } from './agenda.ts'
import type { AgendaCommand, Command } from './command.ts'
import type { Context, Decision } from './decision.ts'
import type { Item } from './item.ts'
import { type Refusal, refuse } from './refusal.ts'

function find(id: number, { world }: Context): Result<Item, Refusal> {
  const item = world.agenda.byId.get(id)
  return item
    ? ok(item)
    : no({ code: 'NOT_FOUND', message: `the agenda has no item ${id}: it was taken or dropped` })
}

export function decideAgenda(command: AgendaCommand, context: Context): Decision {
  const { now, world } = context
  const { agenda } = world
  if (command.kind === 'agenda.plan') {
    const id = agenda.nextId
    const item: Item = {
      id,
      due: now + command.afterMs,
      rank: id,
      held: false,
      command: command.command,
      cause: 0,
      background: false,
    }
    return ok([{ kind: 'agenda.planned', item }])
  }
  const found = find(command.id, context)
  if (!found.ok) return found
  const item = found.value
  const { id, command: planned } = item
  switch (command.kind) {
    case 'agenda.hold':
      return ok(item.held ? [] : [{ kind: 'agenda.held', id, command: planned }])
    case 'agenda.release':
      return ok(
        item.held
          ? [{ kind: 'agenda.released', id, command: planned, due: Math.max(item.due, now) }]
          : [],
      )
    case 'agenda.drop':
      return ok([{ kind: 'agenda.dropped', id, command: planned }])
    case 'agenda.duplicate': {
      const copy: Item = { ...item, id: agenda.nextId, rank: behind(item), copyOf: id }
      return ok([{ kind: 'agenda.planned', item: copy }])
    }
    case 'agenda.delay':
      return ok([
        {
          kind: 'agenda.delayed',
          id,
          command: planned,
          due: Math.max(item.due, now) + command.byMs,
        },
      ])
    case 'agenda.move':
      return move(item, command.to, context)
    case 'agenda.edit':
      return edit(item, command.change)
    default:
      return unreachable(command)
  }

  /** Right behind an item: half way to whatever follows it at the same instant. */
  function behind(original: Item): number {
    const next = original.held ? undefined : neighbour(agenda, original, 'after')
    return next && next.due === original.due ? (original.rank + next.rank) / 2 : original.rank + 0.5
  }
}

function move(
  item: Item,
  to: 'earlier' | 'later' | { readonly place: number },
  context: Context,
): Decision {
  const { agenda } = context.world
  if (item.held)
    return refuse('CONFLICT', `item ${item.id} is held and has no place; release it first`)
  const target =
    typeof to === 'string'
      ? neighbour(agenda, item, to === 'earlier' ? 'before' : 'after')
      : agenda.byId.get(to.place)
  if (!target)
    return typeof to === 'string'
      ? ok([])
      : refuse('NOT_FOUND', `the agenda has no item ${to.place} to move to`)
  if (target.held) return refuse('CONFLICT', `item ${target.id} is held and has no place`)
  if (target.id === item.id) return ok([])
  return ok([
    {
      kind: 'agenda.moved',
      id: item.id,
      command: item.command,
      places: rotation(agenda, item, target),
    },
  ])
}

function edit(item: Item, change: Readonly<Record<string, unknown>>): Decision {
  const { kind, ...fields } = change
  if (kind !== undefined && kind !== item.command.kind)
    return refuse('UNPROCESSABLE', `item ${item.id} is a ${item.command.kind}; its kind stays`)
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(item.command, field))
  if (unknown !== undefined)
    return refuse('UNPROCESSABLE', `a ${item.command.kind} has no field "${unknown}"`)
  const wrong = Object.entries(fields).find(
    ([field, value]) =>
      typeof value !== typeof (item.command as unknown as Record<string, unknown>)[field],
  )
  if (wrong)
    return refuse('UNPROCESSABLE', `"${wrong[0]}" of a ${item.command.kind} has another type`)
  return ok([
    { kind: 'agenda.edited', id: item.id, command: { ...item.command, ...fields } as Command },
  ])
}
