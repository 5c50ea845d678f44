/** Workflow commands of GitHub Actions: annotations, one escaped line each. */

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string =>
  message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export interface GithubAnnotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly text: string
  readonly file?: string | undefined
  readonly place?: { readonly line: number; readonly column: number } | undefined
}

/** The line of one annotation, ended. */
export function githubAnnotation({ level, title, text, file, place }: GithubAnnotation): string {
  const parts = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(place ? [`line=${place.line}`, `col=${place.column}`] : []),
    `title=${property(title)}`,
  ]
  return `::${level} ${parts.join(',')}::${message(text)}\n`
}
