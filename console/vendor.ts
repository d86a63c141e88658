/** The exports of packages that the console uses, see `scripts/vendor-console.ts`. */
export {
  Dialog,
  DialogDismiss,
  DialogHeading,
  Menu,
  MenuButton,
  MenuItem,
  MenuProvider,
  Tab,
  TabList,
  TabPanel,
  TabProvider,
} from '@ariakit/react';
export {
  createContext,
  Fragment,
  StrictMode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
export { jsx, jsxs } from 'react/jsx-runtime';
export { createRoot } from 'react-dom/client';
