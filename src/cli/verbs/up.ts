/** `sparring up`: starts the counterparts, and shows them: a dashboard on a terminal, log lines elsewhere. */
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, sessionFlags } from '../flags.ts'
import { type Io, sayLine } from '../io.ts'
import { roleNames, themes } from '../names.ts'
import { listenForStop } from '../stopping.ts'
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
  {
    name: 'theme',
    value: '<name>',
    summary: 'colours of the dashboard (default: auto, those of the terminal)',
    choices: themes,
  },
  {
    name: 'glyphs',
    value: '<set>',
    summary: 'signs of the dashboard; by the locale when not given',
    choices: ['unicode', 'ascii'],
  },
  { name: 'ready-file', value: '<path>', summary: 'write the readiness as JSON to this file too' },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary: 'wait so many seconds for your service to answer before anything starts',
    number: { least: 0, most: 86_400, fraction: true },
  },
] as const

type Options = OptionsOf<typeof args, typeof flags>

/** Stopping takes two seconds at most: servers let open exchanges end, but nobody waits for them longer. */
const closingMs = 1500

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())])

const ending = (end: () => Promise<unknown>): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => void (await end()),
})

/** What the session is told; a role that both sides would play is a mistake that nobody wants explained by a port. */
async function given(options: Options, io: Io) {
  const { readSessionOptions, withOrders } = await import('../session-options.ts')
  const { problem } = await import('../../problem.ts')
  const told = await readSessionOptions(options, io.cwd)
  const { role } = told.configuration.subject
  if (role !== undefined && options.role.some((each) => each === role))
    throw problem(
      `starting the ${role}`,
      'it is the role that your service plays',
      'Leave it out of the roles to start, or name another with --as.',
    )
  return withOrders(told)
}

export const up = defineVerb({
  name: 'up',
  summary: 'start counterparts; dashboard on a terminal, log lines otherwise',
  arguments: args,
  flags,
  details: `
Examples:
  sparring up                                           everybody, talking to each other
  sparring up --as software-service                     your service polls our Ordering Application
  sparring up --as software-service --subject http://127.0.0.1:3000 --channel webhook
  sparring up --port 0 --ready-file ready.json --json   for scripts`,
  async run(options, io) {
    using stopping = listenForStop(io)
    const { input, configuration } = await given(options, io)
    const seconds = options['wait-for-subject']
    if (seconds !== undefined) {
      const { waitForSubject } = await import('../subject-probe.ts')
      await waitForSubject(configuration, seconds, io, stopping.signal)
      if (stopping.why() !== undefined) return exitCode.done
    }
    const { openSession } = await import('../../session.ts')
    const { startControl } = await import('../../edge/control.ts')
    const { announcing, show } = await import('../watching.ts')
    const { announceReady } = await import('../ready.ts')
    const { tellRecordingEnd } = await import('../recording-problems.ts')
    const bug = Promise.withResolvers<void>()
    const session = await openSession({ ...input, only: options.role, onBug: bug.reject })
    await using _session = ending(async () => {
      await within(closingMs, session.close())
      if (configuration.recording.file !== undefined) await tellRecordingEnd(session, io)
    })
    const { host, port } = configuration
    const { token } = options
    let url: string | undefined
    const face = announcing(session, () => url)
    const control = await startControl({
      face,
      host,
      port,
      onBug: bug.reject,
      ...(token === undefined ? {} : { token }),
    })
    await using _control = ending(() => control.close())
    url = control.url
    if (control.token !== token)
      await sayLine(
        io.stderr,
        `control token: ${control.token}  (--token or SPARRING_TOKEN, for the verbs that talk to it)`,
      )
    const ready = { counterparts: Object.fromEntries(session.urls), control: url }
    await using _ready = await announceReady(ready, options, io)
    await Promise.race([show(face, options, io, stopping), bug.promise])
    return exitCode.done
  },
})
