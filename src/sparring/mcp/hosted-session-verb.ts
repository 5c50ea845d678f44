/** `sparring up` as a tool starts it: a session of this process, registered as one of `sparring mcp`. */
import { upArguments, upFlags } from '../up/up-flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const hostedSessionVerb = defineVerb({
  name: 'up',
  summary: 'start a session of this process',
  arguments: upArguments,
  flags: upFlags,
  async run(options, io) {
    const { runUp } = await import('../up/run-up.ts')
    return runUp(options, io, { verb: 'mcp' })
  },
})
