/** `sparring up`: starts the counterparts, and shows them: a dashboard on a terminal, log lines elsewhere. */
import type { SessionOptions } from '../../session.ts'
import type { SessionFace } from '../../session-face.ts'
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, sessionFlags } from '../flags.ts'
import { type Io, isCi, sayLine } from '../io.ts'
import { roleNames } from '../names.ts'
import { listenForStop, type Stopping } from '../stopping.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [
  {
    name: 'role',
    summary: 'roles to start; all that your service does not play when none is named',
    many: true,
    choices: roleNames,
  },
] as const

const flags = [
  ...sessionFlags,
  { name: 'token', value: '<token>', summary: 'token that the control API asks for' },
  jsonFlag,
  { name: 'quiet', summary: 'nothing but the readiness line and problems' },
  noColorFlag,
  { name: 'ready-file', value: '<path>', summary: 'write the readiness as JSON to this file too' },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary: 'wait so many seconds for your service to answer before anything starts',
    number: { least: 0, most: 86_400, fraction: true },
  },
] as const

type Options = OptionsOf<typeof args, typeof flags>

/** What is left of the two seconds that stopping may take, after the servers had theirs. */
const closingMs = 1500

export const up = defineVerb({
  name: 'up',
  summary: 'start counterparts; dashboard on a terminal, log lines otherwise',
  arguments: args,
  flags,
  details: `
Examples:
  sparring up                                       everybody, talking to each other
  sparring up --as software-service                 your service polls our Ordering Application
  sparring up --as software-service --subject http://127.0.0.1:3000 --channel webhook
  sparring up --port 0 --ready-file ready.json --json   for scripts`,
  async run(options, io) {
    using stopping = listenForStop(io)
    const session = await sessionOptions(options, io)
    const { openSession } = await import('../../session.ts')
    const { startControl } = await import('../../edge/control.ts')
    const bug = Promise.withResolvers<never>()
    bug.promise.catch(() => undefined)
    const opened = await openSession({ ...session, onBug: bug.reject })
    const closing: (() => Promise<void>)[] = [() => opened.close()]
    try {
      const control = await startControl({
        face: opened,
        host: session.host,
        port: session.port,
        onBug: bug.reject,
        ...(options.token === undefined ? {} : { token: options.token }),
      })
      closing.unshift(() => control.close())
      const face = announcing(opened, control.url)
      if (control.token !== undefined && options.token === undefined)
        await sayLine(io.stderr, `control token: ${control.token}  (SPARRING_TOKEN for the verbs that talk to it)`)
      await ready({ counterparts: opened.urls, control: control.url }, options, io, closing)
      await Promise.race([show(face, options, io, stopping), bug.promise])
      return exitCode.done
    } finally {
      await closeAll(closing)
    }
  },
})
