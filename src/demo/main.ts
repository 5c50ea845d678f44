/**
 * Starts a reference subject on the real clock and a socket, prints one ready line, and stops on SIGINT or SIGTERM.
 *
 *   tsx src/demo/main.ts --as software-service --partner http://127.0.0.1:7101
 */
import { scaledClock, machineClock } from './clock.ts'
import { type CommandLine, readCommandLine, usage } from './command-line.ts'
import { type DefectName, defects } from './defects.ts'
import { profiles } from './lifecycle.ts'
import { createOrderingApplication } from './ordering-application.ts'
import type { ReferenceService } from './reference-options.ts'
import { serve } from './serve.ts'
import { createSoftwareService } from './software-service.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const complain = (line: string): void => void process.stderr.write(`reference: ${line}\n`)

const exitCodes = { usage: 2, cannotListen: 3 } as const

function subjectOf(line: CommandLine, base: string): ReferenceService {
  const { pollMs, thinkMs, reconcileMs, clientId, clientSecret } = line
  const clock = line.speed === 1 ? machineClock : scaledClock(machineClock, line.speed)
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
  print(
    line.json
      ? JSON.stringify({ ready: true, role: line.as, url, defects: line.defects })
      : ['ready', `${line.as} ${url}`, ...line.defects.map((name) => `with ${name}`)].join('  '),
  )

  let isEnding = false
  function end(): void {
    // A second signal exits at once.
    if (isEnding) process.exit(130)
    isEnding = true
    void started.stop().then(serving?.close)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

const commandLine = readCommandLine(process.argv.slice(2))
switch (commandLine.kind) {
  case 'help':
    print(usage)
    break
  case 'defects':
    for (const name of Object.keys(defects) as DefectName[])
      print(`${name}\t${defects[name].description}\t${defects[name].invariants.join(', ')}`)
    break
  case 'wrong':
    complain(`${commandLine.sentence}\n\n${usage}`)
    process.exitCode = exitCodes.usage
    break
  case 'start':
    await start(commandLine.line)
    break
  default:
    commandLine satisfies never
}
