/** `sparring schema`: prints JSON Schemas and OpenAPI documents for editors, generators and validators. */
import { exitCode } from '../exit-code.ts'
import { configFlag, roleChoice } from '../flags.ts'
import { printJson } from '../io.ts'
import { defineVerbGroup, defineVerb } from '../verb.ts'

const config = defineVerb({
  name: 'config',
  summary: 'print the JSON Schema of the configuration file',
  async run(_, io) {
    const { configurationSchema } = await import('../configuration-schema.ts')
    await printJson(io, configurationSchema())
    return exitCode.done
  },
})

const scenario = defineVerb({
  name: 'scenario',
  summary: 'print the JSON Schema of a scenario file',
  async run(_, io) {
    const { scenarioSchema } = await import('../scenario-schema.ts')
    await printJson(io, scenarioSchema())
    return exitCode.done
  },
})

const recording = defineVerb({
  name: 'recording',
  summary: 'print the JSON Schema of a line of a recording',
  async run(_, io) {
    const { recordingSchema } = await import('../recording-schema.ts')
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
    configFlag,
  ],
  async run({ role = 'ordering-application', config: file }, io) {
    const { readSessionOptions } = await import('../session-options.ts')
    const { composeOpenApi: openApiOf } = await import('../../edge/openapi/document.ts')
    const { configuration } = await readSessionOptions(
      file === undefined ? {} : { config: file },
      io.cwd,
    )
    await printJson(io, openApiOf(role, configuration))
    return exitCode.done
  },
})

export const schemaVerb = defineVerbGroup({
  name: 'schema',
  summary:
    'print schemas: config, scenario and recording as JSON Schema, the API of a role as OpenAPI',
  verbs: [config, scenario, recording, openapi],
})
