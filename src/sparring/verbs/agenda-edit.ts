/** The verbs that edit agenda items: each submits one agenda command per item. */
import type { AgendaCommand } from '../../core/engine/agenda/commands.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { defineSessionVerb, type SessionAccess } from './support/session-verb.ts'

const itemArgument = {
  name: 'id',
  summary: 'number of the item in sparring agenda',
  required: true,
} as const

async function itemId(text: string, otherwise = ''): Promise<number> {
  const id = Number(text)
  if (Number.isInteger(id) && id > 0) return id
  const { problem } = await import('../../core/base/problem.ts')
  throw problem(
    'finding the item',
    `"${text}" is not an item number`,
    `sparring agenda lists the items.${otherwise}`,
  )
}

/** The changes `key=value` of an item: a value is JSON where it parses as JSON, else text. */
async function changesOf(pairs: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { problem } = await import('../../core/base/problem.ts')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at > 0) return [pair.slice(0, at), jsonOrText(pair.slice(at + 1))]
      throw problem('editing the item', `"${pair}" is no change`, 'Write each change as key=value.')
    }),
  )
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Submits the commands one after the other; the highest exit code wins. */
async function submitEach(
  ids: readonly string[],
  one: (id: number) => readonly [command: AgendaCommand, done: string],
  { submit }: SessionAccess,
): Promise<ExitCode> {
  let worst: ExitCode = exitCode.done
  for (const text of ids) {
    const [command, done] = one(await itemId(text))
    worst = Math.max(worst, await submit(command, done))
  }
  return worst
}

const simpleEditVerb = (
  name: 'hold' | 'release' | 'drop' | 'duplicate',
  summary: string,
  done: string,
) =>
  defineSessionVerb({
    name,
    summary,
    arguments: [{ ...itemArgument, many: true }],
    run: ({ id }, session) =>
      submitEach(id, (item) => [{ kind: `agenda.${name}`, id: item }, `${item}: ${done}`], session),
  })

export const agendaHoldVerb = simpleEditVerb(
  'hold',
  'hold items: they are not run until released',
  'held',
)
export const agendaReleaseVerb = simpleEditVerb(
  'release',
  'release held items: their due time applies again',
  'released',
)
export const agendaDropVerb = simpleEditVerb('drop', 'drop items: they are never run', 'dropped')
export const agendaDuplicateVerb = simpleEditVerb(
  'duplicate',
  'duplicate items: each copy runs right after its original',
  'duplicated',
)

export const agendaDelayVerb = defineSessionVerb({
  name: 'delay',
  summary: 'delay an item',
  arguments: [
    itemArgument,
    { name: 'duration', summary: 'a duration: 250ms, 5s, 2m, 1h', required: true },
  ],
  async run({ id, duration }, session) {
    const { parseDurationArgument } = await import('../../terminal/cli/parse-duration-argument.ts')
    const byMs = parseDurationArgument(duration, 'delaying the item')
    return submitEach(
      [id],
      (item) => [{ kind: 'agenda.delay', id: item, byMs }, `${item}: delayed by ${duration}`],
      session,
    )
  },
})

const relativePlacesHint = ' Or write earlier, or later.'

export const agendaMoveVerb = defineSessionVerb({
  name: 'move',
  summary: 'move an item one position, or to the position of another item',
  arguments: [
    itemArgument,
    {
      name: 'to',
      summary: 'earlier, later, or the number of the item whose position it takes',
      required: true,
    },
  ],
  async run({ id, to }, session) {
    const place =
      to === 'earlier' || to === 'later' ? to : { place: await itemId(to, relativePlacesHint) }
    return submitEach(
      [id],
      (item) => [{ kind: 'agenda.move', id: item, to: place }, `${item}: moved`],
      session,
    )
  },
})

export const agendaEditVerb = defineSessionVerb({
  name: 'edit',
  summary: 'change the fields of a scheduled action',
  arguments: [
    itemArgument,
    {
      name: 'change',
      summary: 'key=value; a value that is valid JSON is read as JSON, otherwise as text',
      required: true,
      many: true,
    },
  ],
  details: `
Examples:
  sparring agenda edit 12 trigger=cancel
  sparring agenda edit 12 'request={"reason":"out of stock"}'
  sparring agenda edit 12 'orderId="42"'          a text that looks like a number`,
  async run({ id, change }, session) {
    const changes = await changesOf(change)
    return submitEach(
      [id],
      (item) => [{ kind: 'agenda.edit', id: item, change: changes }, `${item}: edited`],
      session,
    )
  },
})
