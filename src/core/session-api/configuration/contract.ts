/** The setting `contract`: the user's own OpenAPI documents, each with the role whose host it describes. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { RoleChoice } from '../../protocol/role-schema.ts'
import { type Role, roleNamed, roleNamesText } from '../../protocol/role.ts'

export interface ContractReference {
  /** A path: relative to the configuration file, to the current directory elsewhere. */
  readonly file: string
  /** Found by the paths of the document when absent. */
  readonly role?: Role | undefined
}

/**
 * `openapi.yaml`, or `openapi.yaml=pos`. A name with a dot or a slash behind the last `=` is a part of the file's name.
 */
const ContractText = z
  .string()
  .min(1)
  .transform((text, context): ContractReference => {
    const [, file, name] = /^(.+)=([^=./\\]*)$/s.exec(text) ?? []
    if (file === undefined || name === undefined) return { file: text }
    const role = roleNamed(name)
    if (role !== undefined) return { file, role }
    context.issues.push({
      code: 'custom',
      input: text,
      message: `"${name}" is no role; name one of ${roleNamesText}`,
    })
    return z.NEVER
  })

const ContractObject = strictObject(() => ({
  file: z.string().min(1).describe('an OpenAPI document of version 3.0 or 3.1, as YAML or JSON'),
  role: RoleChoice.optional().describe(
    'the role whose host it describes; found by its paths when absent',
  ),
}))

const ContractEntry = z.union([ContractText, ContractObject])

export const ContractSetting = z
  .union([ContractEntry.transform((one) => [one]), z.array(ContractEntry).max(20)])
  .describe(
    'your own OpenAPI documents: every exchange with a host that they describe is compared with them, as one more rule',
  )
