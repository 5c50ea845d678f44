/** `sparring demo --service`: the service alone, until it is stopped. */
import { join } from 'node:path'
import { compact } from '../../core/base/compact.ts'
import { problem } from '../../core/base/problem.ts'
import type { Role } from '../../core/protocol/role.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import type { DemoOptions } from './demo-flags.ts'
import { readConfigurationAndFlags } from '../../terminal/cli/session-options.ts'
import {
  demoRoleOf,
  demoServiceOptions,
  listenForDemo,
  partnerCredentials,
} from './demo-service.ts'

/** The role that each role of the service works with. */
const partnerOf = {
  'software-service': 'ordering-application',
  'ordering-application': 'software-service',
} as const satisfies Partial<Record<Role, Role>>

function partnersOf(options: DemoOptions) {
  const partnerFlag = `${partnerOf[demoRoleOf(options)]}-url` as const
  const partner = options[partnerFlag]
  if (partner === undefined)
    throw problem(
      'starting the demo service',
      'it has no partner',
      `Name one with --${partnerFlag}; run --start and minimise --start do so by themselves.`,
    )
  if (options.dialect !== undefined)
    throw problem(
      'starting the demo service',
      `it has no dialect ${options.dialect}: it speaks V2 as the documents say`,
      'Leave --dialect out.',
    )
  const platform = options['delivery-platform-url']
  for (const url of [partner, platform])
    if (url !== undefined && url !== '' && !/^https?:\/\/./.test(url))
      throw problem(
        'starting the demo service',
        `"${url}" is no address`,
        'Give an http or https URL.',
      )
  return { partner, platform: platform === '' ? undefined : platform }
}

/** What a service that is started by Sparring keeps there outlasts its process. */
const memoryIn = (folder = ''): string | undefined =>
  folder === '' ? undefined : join(folder, 'orders')

export async function runDemoService(options: DemoOptions, io: Io): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const complain = (sentence: string): void => void io.stderr.write(`service: ${sentence}\n`)
  const { configuration } = await readConfigurationAndFlags(
    compact({ config: options.config }),
    io.cwd,
  )
  const settings = {
    ...demoServiceOptions(options, complain),
    memory: options.memory ?? memoryIn(io.env['SPARRING_FOLDER']),
    ...partnersOf(options),
    clients: partnerCredentials(configuration),
  }
  const port = options['service-port'] ?? Number(io.env['PORT'] ?? 0)
  const service = await listenForDemo(port)
  service.start(settings)
  const { as, defects } = settings
  await printLine(
    io.stdout,
    options.json
      ? JSON.stringify({ ready: true, role: as, url: service.url, defects })
      : ['ready', `${as} ${service.url}`, ...defects.map((name) => `with ${name}`)].join('  '),
  )
  await stopping.stopped
  await service.stop()
  return exitCode.done
}
