import type { Plugin } from 'vite'

const ICONS = '@radix-ui/react-icons'
const IMPORT = /import \{([^}]+)\} from ['"]@radix-ui\/react-icons['"];?/g

/** Coordinates in a square of 15, which is drawn at about 15 pixels: one decimal is finer than screens show. */
const LONG_NUMBER = /\d+\.\d{2,}(?![\d.])/g

/**
 * The icons are one module, of which every page would load what any page uses. As a module of its own each is fetched
 * by the pages that show it.
 */
export function splitIcons(): Plugin {
  return {
    name: 'split-icons',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (id.includes(`${ICONS}/`)) return { code: roundNumbers(code), map: null }
      return code.includes(ICONS) ? { code: code.replaceAll(IMPORT, oneByOne), map: null } : undefined
    },
    async resolveId(source, importer) {
      const [name, icon] = source.split('?')
      if (name !== ICONS || !icon) return undefined
      const resolved = await this.resolve(ICONS, importer)
      return resolved && { ...resolved, id: `${resolved.id}?${icon}` }
    },
  }
}

/** With no more decimals than can be seen. */
export function roundNumbers(code: string): string {
  return code.replaceAll(LONG_NUMBER, (number) => String(Math.round(Number(number) * 10) / 10))
}

function oneByOne(_statement: string, names: string): string {
  const icons = names.split(',').map((name) => name.trim())
  return icons.map((icon) => `import { ${icon} } from '${ICONS}?${icon.split(' ')[0]}'`).join('\n')
}
