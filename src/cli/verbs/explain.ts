/** `sparring explain`: the story of an order, an event or an exchange, and where the two sides' views split. */
import { clockOf } from '../../engine/instant.ts'
import type { Explanation } from '../../session-api/session-api.ts'
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, talkFlags } from '../flags.ts'
import { type Io, sayJson, sayLine } from '../io.ts'
import { plain } from '../table.ts'
import { sessionOf, tellRefusal } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { orderIdOf } from '../find-order.ts'

/** A slot, the number of an exchange, or the id of an event is meant as it stands. */
const isPlainlyMeant = (text: string): boolean => /^(o\d+|#\d+)$/.test(text)

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`

async function sayStory({ title, lines, omitted, conclusion }: Explanation, io: Io): Promise<void> {
  await sayLine(io.stdout, `${plain(title)}\n`)
  for (const { at, text, odd } of lines) {
    const line = `${clockOf(at)}  ${odd ? '!' : ' '} ${plain(text)}`
    await sayLine(io.stdout, odd && io.color ? red(line) : line)
  }
  if (omitted > 0) await sayLine(io.stdout, `(${omitted} lines in the middle are left out)`)
  await sayLine(io.stdout, lines.length > 0 ? '' : '(nothing of it is in memory)')
  for (const sentence of conclusion) await sayLine(io.stdout, plain(sentence))
}

export const explain = defineVerb({
  name: 'explain',
  summary:
    'the story of one order: emitted, handed over, acknowledged, read, called; where views split',
  arguments: [
    {
      name: 'order',
      summary:
        'an order (its id, the beginning of that, its number, or its slot: o2), an event’s id, or an exchange (#17)',
      required: true,
    },
  ],
  flags: [jsonFlag, noColorFlag, ...talkFlags],
  async run({ order: text, json, ...talk }, io) {
    const face = await sessionOf(talk)
    const about = isPlainlyMeant(text) ? text : await orderIdOf(face, text)
    const { explanation } = await face.look({ explain: about })
    if (!explanation)
      return tellRefusal(
        { code: 'NOT_FOUND', message: `there is no order, event or exchange ${text}` },
        io,
      )
    if (json) await sayJson(io, explanation)
    else await sayStory(explanation, io)
    return exitCode.done
  },
})
