"""Lists written anew: in the canonical notation, or with their certain mistakes put right."""
