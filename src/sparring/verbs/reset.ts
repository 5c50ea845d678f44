/** `sparring reset`: a fresh world in a running session. */
import { printLine } from '../../terminal/cli/io.ts'
import { defineSessionVerb } from './support/session-verb.ts'

export const resetVerb = defineSessionVerb({
  name: 'reset',
  summary: 'a fresh world in a running session: no orders, the faults of its configuration',
  flags: [
    {
      name: 'seed',
      value: '<n>',
      summary:
        'the seed for generated data (default: the one after that of the world before, so that no id comes again)',
      number: { min: 0, max: Number.MAX_SAFE_INTEGER },
      isTypedOnly: true,
    },
  ],
  async run({ seed }, { connect, print, io }) {
    const session = await connect()
    await session.reset(seed)
    const { info } = await session.look({})
    return print({ seed: info.seed }, () =>
      printLine(io.stdout, `a fresh world, seed ${info.seed}`),
    )
  },
})
