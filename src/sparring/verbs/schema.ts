/** `sparring schema`: prints JSON Schemas and OpenAPI documents for editors, generators and validators. */
import { compact } from '../../core/base/compact.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { configFlag, roleChoice } from '../../terminal/cli/flags.ts'
import { dialectChoices } from '../../terminal/cli/name-lists.ts'
import { printJson } from '../../terminal/cli/io.ts'
import { defineVerbGroup, defineVerb } from '../../terminal/cli/verb.ts'

const config = defineVerb({
  name: 'config',
  summary: 'print the JSON Schema of the configuration file',
  async run(_, io) {
    const { configurationSchema } = await import('./support/configuration-schema.ts')
    await printJson(io, configurationSchema())
    return exitCode.done
  },
})

const scenario = defineVerb({
  name: 'scenario',
  summary: 'print the JSON Schema of a scenario file',
  async run(_, io) {
    const { scenarioSchema } = await import('./support/scenario-schema.ts')
    await printJson(io, scenarioSchema())
    return exitCode.done
  },
})

const recording = defineVerb({
  name: 'recording',
  summary: 'print the JSON Schema of a line of a recording',
  async run(_, io) {
    const { recordingSchema } = await import('./support/recording-schema.ts')
    await printJson(io, recordingSchema())
    return exitCode.done
  },
})

const openapi = defineVerb({
  name: 'openapi',
  summary: 'print the API of a role as OpenAPI 3.1',
  flags: [
    {
      name: 'role',
      value: '<role>',
      summary: 'the role (default: ordering-application)',
      ...roleChoice,
    },
    {
      name: 'dialect',
      value: '<name>',
      summary: 'protocol dialect of a partner (default: as the specification says)',
      choices: dialectChoices,
    },
    configFlag,
  ],
  async run({ role = 'ordering-application', dialect, config: file }, io) {
    const { readSessionOptions } = await import('../../terminal/cli/session-options.ts')
    const { openApiOfRole } = await import('../../core/session/openapi.ts')
    const { configuration } = await readSessionOptions(compact({ config: file, dialect }), io.cwd)
    await printJson(io, openApiOfRole(role, configuration))
    return exitCode.done
  },
})

export const schemaVerb = defineVerbGroup({
  name: 'schema',
  summary:
    'print schemas: config, scenario and recording as JSON Schema, the API of a role as OpenAPI',
  verbs: [config, scenario, recording, openapi],
})
