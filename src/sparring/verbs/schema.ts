/** `sparring schema`: prints JSON Schemas and OpenAPI documents for editors, generators and validators. */
import { compact } from '../../core/base/compact.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { configFlag, roleChoice } from '../../terminal/cli/flags.ts'
import { dialectChoice } from '../../terminal/cli/name-lists.ts'
import { printJson } from '../../terminal/cli/io.ts'
import { defineVerbGroup, defineVerb } from '../../terminal/cli/verb.ts'

/** The schema is loaded only when it is asked for. */
const jsonSchemaVerb = (name: string, subject: string, load: () => Promise<object>) =>
  defineVerb({
    name,
    summary: `print the JSON Schema of ${subject}`,
    async run(_, io) {
      await printJson(io, await load())
      return exitCode.done
    },
  })

const config = jsonSchemaVerb('config', 'the configuration file', async () =>
  (await import('./support/configuration-schema.ts')).configurationSchema(),
)

const scenario = jsonSchemaVerb('scenario', 'a scenario file', async () =>
  (await import('./support/editor-schemas.ts')).scenarioSchema(),
)

const recording = jsonSchemaVerb('recording', 'a line of a recording', async () =>
  (await import('./support/editor-schemas.ts')).recordingSchema(),
)

const dialectFile = jsonSchemaVerb('dialect', 'a dialect file', async () =>
  (await import('./support/editor-schemas.ts')).dialectSchema(),
)

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
      ...dialectChoice,
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
    'print schemas: config, scenario, dialect and recording as JSON Schema, the API of a role as OpenAPI',
  verbs: [config, scenario, dialectFile, recording, openapi],
})
