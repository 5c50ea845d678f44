/**
 * Writes out the types that declarations infer from values: `type Command = z.infer<typeof Command>` becomes the type itself,
 * so that the value, its schema and the schema library are needed no more, and editors show what the type is.
 *
 *   node bin/build/inferred-types.ts <folder> <entry…>
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import {
  isExportDeclaration,
  isIdentifier,
  isNamedExports,
  isTypeAliasDeclaration,
  isTypeQueryNode,
  isVariableStatement,
  type Node,
  type SourceFile,
  type Statement,
  type TypeAliasDeclaration,
} from 'typescript/unstable/ast'
import { API, type Checker, NodeBuilderFlags } from 'typescript/unstable/sync'

const flags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/** The names of values whose types a node refers to by `typeof`. */
function queriedNames(node: Node): readonly string[] {
  if (isTypeQueryNode(node)) return isIdentifier(node.exprName) ? [node.exprName.text] : ['']
  const names: string[] = []
  node.forEachChild((child) => void names.push(...queriedNames(child)))
  return names
}

const isInferred = (statement: Statement): statement is TypeAliasDeclaration =>
  isTypeAliasDeclaration(statement) &&
  !statement.typeParameters &&
  queriedNames(statement.type).length > 0

function writtenOut(checker: Checker, alias: TypeAliasDeclaration): string {
  const type = checker.getTypeFromTypeNode(alias.type)
  if (!type) throw new Error(`the type ${alias.name.text} cannot be read`)
  const { text } = alias.getSourceFile()
  const before = text.slice(alias.pos, alias.type.pos)
  return `${before} ${checker.typeToString(type, alias, flags)}${text.slice(alias.type.end, alias.end)}`
}

/** The names of the constants that a statement declares. */
const constantNames = (statement: Statement): readonly string[] =>
  isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) =>
        isIdentifier(name) ? name.text : '',
      )
    : []

/** The names, where they are declared, of what a file exports as values. */
function exportedValues(checker: Checker, { statements }: SourceFile): readonly string[] {
  return (
    statements
      .filter(isExportDeclaration)
      // `export type { Order }`, where the types have no constants beside them.
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .flatMap(({ exportClause }) =>
        exportClause && isNamedExports(exportClause) ? [...exportClause.elements] : [],
      )
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .flatMap(({ name }) => {
        const symbol = checker.getSymbolAtLocation(name)
        return symbol ? [checker.getAliasedSymbol(symbol).name] : []
      })
  )
}

/** A constant of the same name as a type is exported with it; without this, all of them would be kept. */
function rewritten(
  checker: Checker,
  { text, statements }: SourceFile,
  values: ReadonlySet<string>,
) {
  const stillQueried = new Set(
    statements
      .filter((each) => !isInferred(each) && constantNames(each).length === 0)
      .flatMap(queriedNames),
  )
  const isNeeded = (name: string) => values.has(name) || stillQueried.has(name)
  return statements
    .filter((each) => {
      const names = constantNames(each)
      return names.length === 0 || names.some(isNeeded)
    })
    .map((each) => (isInferred(each) ? writtenOut(checker, each) : text.slice(each.pos, each.end)))
    .join('')
}

/** Rewrites the declarations in a folder: those of the entries, and of what they share. */
function writeOutInferredTypes(folder: string, entries: readonly string[]): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, types: ['node'] }
  writeFileSync(project, JSON.stringify({ compilerOptions, files: names }))
  const api = new API()
  try {
    const [opened] = api.updateSnapshot({ openProjects: [project] }).getProjects()
    if (!opened) throw new Error(`the compiler does not open ${project}`)
    const read = (name: string): SourceFile => {
      const file = opened.program.getSourceFile(name)
      if (!file) throw new Error(`the compiler does not read ${name}`)
      return file
    }
    const values = entries.flatMap((name) =>
      exportedValues(opened.checker, read(join(folder, `${name}.d.ts`))),
    )
    for (const name of names)
      writeFileSync(name, rewritten(opened.checker, read(name), new Set(values)))
  } finally {
    api.close()
  }
}

const [folder = '', ...entries] = process.argv.slice(2)
writeOutInferredTypes(folder, entries)
