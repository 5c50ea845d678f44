/**
 * Starts a reference subject on the machine's clock and a real socket, and says so in one line. It ends when it is told to.
 *
 *   tsx src/demo/main.ts --as software-service --partner http://127.0.0.1:7101
 */
import { faster, machineClock } from './clock.ts'
import { type CommandLine, readCommandLine, usage } from './command-line.ts'
import { type DefectName, defects } from './defects.ts'
import { profiles } from './lifecycle.ts'
import { createOrderingApplication } from './ordering-application.ts'
import type { ReferenceService } from './reference-options.ts'
import { serve } from './serve.ts'
import { createSoftwareService } from './software-service.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const complain = (line: string): void => void process.stderr.write(`reference: ${line}\n`)

const exitCodes = { usage: 2, cannotListen: 3 } as const

function subjectOf(line: CommandLine, base: string): ReferenceService {
  const { pollMs, thinkMs, reconcileMs, clientId, clientSecret } = line
  const clock = line.speed === 1 ? machineClock : faster(machineClock, line.speed)
  const common = {
    partner: line.partner,
    platform: line.platform,
    base,
    clock,
    credentials: { clientId, clientSecret },
    pace: {
      ...(pollMs === undefined ? {} : { pollMs }),
      ...(thinkMs === undefined ? {} : { thinkMs }),
      ...(reconcileMs === undefined ? {} : { reconcileMs }),
    },
    defects: line.defects,
    protocol: line.protocol,
    complain,
  }
  if (line.as === 'software-service') {
    const { channel, memory } = line
    return createSoftwareService({
      ...common,
      channel,
      ...(memory === undefined ? {} : { memory }),
    })
  }
  const application = createOrderingApplication(common)
  return {
    ...application,
    start() {
      application.start()
      void placeOrders(line.orders)
    },
  }

  async function placeOrders(many: number): Promise<void> {
    for (let number = 0; number < many; number++) {
      application.place(profiles[number % profiles.length] ?? 'DELIVERY')
      await clock.sleep(1000)
    }
  }
}

async function start(line: CommandLine): Promise<void> {
  let subject: ReferenceService | undefined
  const handle = (request: Request): Promise<Response> =>
    subject?.fetch(request) ?? Promise.resolve(new Response(null, { status: 503 }))
  const serving = await serve(handle, line.port).catch((error: unknown) => {
    complain(`cannot listen on port ${line.port}: ${error instanceof Error ? error.message : ''}`)
    process.exitCode = exitCodes.cannotListen
  })
  if (!serving) return
  const url = `http://127.0.0.1:${serving.port}`
  const started = subjectOf(line, url)
  subject = started
  started.start()
  tell(
    line.json
      ? JSON.stringify({ ready: true, role: line.as, url, defects: line.defects })
      : ['ready', `${line.as} ${url}`, ...line.defects.map((name) => `with ${name}`)].join('  '),
  )

  let isEnding = false
  function end(): void {
    // Who asks twice does not want to wait.
    if (isEnding) process.exit(130)
    isEnding = true
    void started.stop().then(serving?.close)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

const said = readCommandLine(process.argv.slice(2))
switch (said.kind) {
  case 'help':
    tell(usage)
    break
  case 'defects':
    for (const name of Object.keys(defects) as DefectName[])
      tell(`${name}\t${defects[name].does}\t${defects[name].shows.join(', ')}`)
    break
  case 'wrong':
    complain(`${said.sentence}\n\n${usage}`)
    process.exitCode = exitCodes.usage
    break
  case 'start':
    await start(said.line)
    break
  default:
    said satisfies never
}
