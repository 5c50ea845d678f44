/** `sparring orders create`: creates an order at our Ordering Application, generated or from a file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { compact } from '../../compact.ts'
import type { NewOrder } from '../../session-api/session-api.ts'
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { orderTypeNames } from '../name-lists.ts'
import { connectToSession, printRefusal } from '../control-client.ts'
import { defineVerb } from '../verb.ts'

export const ordersCreateVerb = defineVerb({
  name: 'create',
  summary: 'make an order: made up from the seed, or given whole as JSON',
  flags: [
    { name: 'type', value: '<type>', summary: 'its profile', choices: orderTypeNames },
    {
      name: 'items',
      value: '<n>',
      summary: 'how many lines it has',
      number: { min: 1, max: 500 },
    },
    { name: 'file', short: 'f', value: '<file>', summary: 'a whole order as JSON; - reads stdin' },
    jsonFlag,
    noColorFlag,
    ...controlFlags,
  ],
  details: `
Examples:
  sparring orders create --type DELIVERY --items 3
  jq .order saved.json | sparring orders create --file -`,
  async run({ type, items, file, json, ...connection }, io) {
    const newOrder: NewOrder =
      file === undefined
        ? compact({ type, items })
        : await readOrder(file, type !== undefined || items !== undefined, io)
    const face = await connectToSession(connection)
    const created = await face.createOrder(newOrder)
    if (!created.ok) return printRefusal(created.error, io)
    if (json) await printJson(io, created.value)
    else await printLine(io.stdout, created.value.orderId)
    return exitCode.done
  },
})

async function readOrder(file: string, hasOtherFlags: boolean, io: Io): Promise<NewOrder> {
  const { problem } = await import('../../problem.ts')
  if (hasOtherFlags)
    throw problem(
      'creating an order',
      'it cannot be given whole and be made up at once',
      'Give --file alone, or --type and --items.',
    )
  const name = file === '-' ? 'stdin' : file
  const read = await textOf(file, io).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw problem(`reading ${name}`, why, 'Name a file that can be read, or - for stdin.')
  })
  const { parseJsonText: readJson } = await import('../../edge/files/source-location.ts')
  const { value, error } = readJson(read)
  if (!error) return { order: value }
  const { line, column } = error.place
  throw problem(`reading ${name}:${line}:${column}`, error.message, 'Correct it there.')
}

const textOf = (file: string, io: Io): Promise<string> =>
  file === '-' ? text(io.stdin()) : readFile(resolve(io.cwd, file), 'utf8')
