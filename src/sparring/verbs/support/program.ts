/** Builds the command line from the list of verbs: parsing, help, suggestions and environment variables. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import {
  choiceTexts,
  environmentFlagValue,
  misspeltVariables,
  parseChoice,
  parseFlagValue,
} from './flag-value.ts'
import { type Io, printJson } from '../../../terminal/cli/io.ts'
import {
  type ArgumentRow,
  type FlagRow,
  listedVerbs,
  type Verb,
} from '../../../terminal/cli/verb.ts'

interface ProgramDefinition {
  readonly name: string
  readonly summary: string
  readonly version: string
  /** What `--version --json` prints. */
  readonly versionParts?: Readonly<Record<string, string | undefined>>
  readonly verbs: readonly Verb[]
}

function optionOf(flag: FlagRow): Option {
  const short = flag.short ? `-${flag.short}, ` : ''
  const value = flag.value ? ` ${flag.value}` : ''
  const option = new Option(`${short}--${flag.name}${value}`, flag.summary)
  if (flag.choices) option.choices(choiceTexts(flag))
  if (flag.value)
    option.argParser((text: string, before: unknown) => {
      const read = parseFlagValue(flag, text)
      if (read.ok && flag.many) return [...(Array.isArray(before) ? before : []), read.value]
      if (read.ok) return read.value
      throw new InvalidArgumentError(read.error)
    })
  return option
}

function argumentOf(row: ArgumentRow): Argument {
  const name = row.many ? `${row.name}...` : row.name
  const argument = new Argument(row.required ? `<${name}>` : `[${name}]`, row.summary)
  if (!row.choices) return argument
  argument.choices(choiceTexts(row))
  return argument.argParser((text: string, before: unknown) => {
    const read = parseChoice(row, text)
    if (!read.ok) throw new InvalidArgumentError(read.error)
    return row.many ? [...(Array.isArray(before) ? before : []), read.value] : read.value
  })
}

/** The values of the flags: from the command line, else from the environment. */
function readFlags(verb: Verb, command: Command, io: Io): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [index, flag] of verb.flags.entries()) {
    const option = command.options[index]
    if (option && command.getOptionValueSource(option.attributeName()) === 'cli') {
      const value: unknown = command.getOptionValue(option.attributeName())
      // --watch and --no-watch are two flags with one value.
      if (option.negate ? value === false : value !== false)
        options[flag.name] = option.negate ? true : value
      continue
    }
    const value = environmentFlagValue(flag, io.env)
    if (value !== undefined) options[flag.name] = value
  }
  return options
}

interface ParseContext {
  readonly argv: readonly string[]
  readonly io: Io
  readonly verbs: readonly Verb[]
  readonly ended: (code: ExitCode) => void
}

/**
 * A verb whose name was not typed is only needed for the list of verbs: name, arguments and whether it takes options.
 * Building all options of all verbs would dominate the time that help takes.
 */
function summaryCommand({ name, summary, arguments: rows, flags: [flag] }: Verb): Command {
  const command = new Command(name).description(summary)
  for (const row of rows) command.addArgument(argumentOf(row))
  return flag ? command.addOption(optionOf(flag)) : command
}

/** The title in help for each flag that is in a group. */
const groupTitles = ({ groups = {} }: Verb): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(groups).flatMap(([title, names]) => names.map((name) => [name, `${title}:`])),
  )

function commandOf(verb: Verb, context: ParseContext): Command {
  const { argv, io, verbs, ended } = context
  if (!argv.includes(verb.name)) return summaryCommand(verb)
  const command = new Command(verb.name).description(verb.summary)
  for (const row of verb.arguments) command.addArgument(argumentOf(row))
  const groupByFlag = groupTitles(verb)
  // Beside the name of one of its verbs all flags are that verb's.
  const isOther = verb.verbs.some(({ name }) => name === argv[1])
  for (const flag of isOther ? [] : verb.flags) {
    const title = groupByFlag.get(flag.name)
    const option = optionOf(flag)
    command.addOption(title === undefined ? option : option.helpGroup(title))
  }
  if (verb.details) command.addHelpText('after', `\n${verb.details.trim()}`)
  const listed = new Set(listedVerbs(verb))
  for (const inner of verb.verbs)
    command.addCommand(commandOf(inner, context), { hidden: !listed.has(inner) })
  if (verb.verbs.length > 0) {
    const [defaultVerb] = verb.verbs
    if (verb.showsDefault && defaultVerb && defaultVerb.arguments.length > 0)
      command.usage(`[${defaultVerb.arguments.map(({ name }) => name).join('] [')}] [options]`)
    return command.helpCommand(false)
  }
  return command.action(async (...all: unknown[]) => {
    const options = readFlags(verb, command, io)
    for (const [index, { name }] of verb.arguments.entries()) options[name] = all[index]
    for (const each of misspeltVariables(verb.flags, verbs, io.env))
      io.stderr.write(`sparring: ${each}\n`)
    const color = io.color && options['no-color'] === undefined
    ended(await verb.run(options, { ...io, color }))
  })
}

/** Commander's error message in the form of our problems, with a pointer to `--help` where it suggests nothing. */
function usageErrorText(text: string, name: string): string {
  const message = text.replace(/^error: /, 'sparring: ')
  const helps = /Did you mean|is invalid.*\. It is/.test(message)
  return helps ? message : `${message.replace(/\.?\s*$/, '')}. See ${name} --help.\n`
}

function configureCommand(command: Command, name: string, io: Io): void {
  command.exitOverride()
  command.configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => Math.min(io.columns, 120),
    getErrHelpWidth: () => Math.min(io.columns, 120),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
    outputError: (text, write) => write(usageErrorText(text, name)),
  })
  for (const inner of command.commands) configureCommand(inner, `${name} ${inner.name()}`, io)
}

/** A group without a verb means its first one: `sparring orders` is `sparring orders list`. */
function withDefaultVerb(argv: readonly string[], verbs: readonly Verb[]): string[] {
  const [first, second, ...rest] = argv
  const family = verbs.find(({ name }) => name === first)?.verbs ?? []
  const [defaultVerb] = family
  if (!first || !defaultVerb) return [...argv]
  if (second === undefined) return [first, defaultVerb.name]
  const isFlag = second.startsWith('-') && second !== '-h' && second !== '--help'
  const isArgument =
    defaultVerb.arguments.length > 0 &&
    !second.startsWith('-') &&
    family.every(({ name }) => name !== second)
  return isFlag || isArgument ? [first, defaultVerb.name, second, ...rest] : [...argv]
}

const isVersionAsJson = (argv: readonly string[]): boolean =>
  argv.length === 2 && argv.includes('--json') && argv.some((each) => /^(-V|--version)$/.test(each))

/** Runs the command line. Problems and bugs are thrown; errors that commander has printed become an exit code. */
export async function runProgram(
  { name, summary, version, versionParts, verbs }: ProgramDefinition,
  argv: readonly string[],
  io: Io,
): Promise<ExitCode> {
  if (versionParts && isVersionAsJson(argv)) {
    await printJson(io, versionParts)
    return exitCode.done
  }
  let code: ExitCode = exitCode.done
  const program = new Command(name).description(summary).version(version, '-V, --version')
  program.addHelpText(
    'after',
    '\n--version --json prints the version, the commit of the build, and the Node that runs it.\nEvery flag can be set in the environment: --ready-file is SPARRING_READY_FILE.\nMore about a verb: sparring <verb> --help',
  )
  const fullArgv = withDefaultVerb(argv, verbs)
  const context: ParseContext = { argv: fullArgv, io, verbs, ended: (ended) => (code = ended) }
  for (const verb of verbs) program.addCommand(commandOf(verb, context))
  configureCommand(program, name, io)
  try {
    await program.parseAsync(fullArgv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCode.done : exitCode.usage
  }
  return code
}
