import { isIP } from "node:net";

/** A host name: letters, digits, dots and hyphens. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** The zone of an IPv6 address: the system decides which names it has, and no configuration may read one as more. */
const ZONE = /%[a-z0-9.-]+$/i;

/** True for an IP address. */
export const isIpAddress = (text: string): boolean => isIP(text.replace(ZONE, "")) !== 0;

/** True for an IP address or a host name: a text that goes into command lines, configurations and requests as it is. */
export const isAddress = (text: string): boolean => isIpAddress(text) || HOST_NAME.test(text);

/** True for the URL of a server: a scheme, an address and a port, and nothing else but a path. */
export function isServerUrl(text: string): boolean {
  const [, inBrackets, name] =
    /^(?:https?|tcp):\/\/(?:\[([^\]]+)\]|([^:/[\]]+))(?::\d{1,5})?(?:\/[!-~]*)?$/.exec(text) ?? [];
  return inBrackets === undefined ? name !== undefined && isAddress(name) : isIpAddress(inBrackets);
}
