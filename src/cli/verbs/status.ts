/** `sparring status`: the sessions that run on this machine. */
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag } from '../flags.ts'
import { printJson, printLine } from '../io.ts'
import { defineVerb } from '../verb.ts'

export const statusVerb = defineVerb({
  name: 'status',
  summary: 'list the sessions that run on this machine',
  flags: [jsonFlag, noColorFlag],
  details: `
It lists what sparring up, record and replay --driver server of this user have started. Stop one with: sparring stop`,
  async run({ json }, io) {
    const { readSessionRegistry } = await import('../../edge/registry/session-registry.ts')
    const { reportBrokenFiles, sessionJson, sessionText } = await import('../session-status.ts')
    const registry = readSessionRegistry()
    await reportBrokenFiles(registry, io)
    const { sessions } = registry
    if (json) await printJson(io, await Promise.all(sessions.map(sessionJson)))
    else if (sessions.length === 0)
      await printLine(io.stderr, 'no session runs; start one with: sparring up')
    else await printLine(io.stdout, (await Promise.all(sessions.map(sessionText))).join('\n\n'))
    return exitCode.done
  },
})
