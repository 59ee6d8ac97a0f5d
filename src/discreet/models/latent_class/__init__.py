"""Latent class regression: categorical attributes given continuous ones.

Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that satisfies probabilistic
k-anonymity criterion (2017), §6. Each record belongs to an unobserved class. Given the class
the categorical attributes are independent; which class is likely depends on the continuous
attributes through a multinomial logit.
"""

from __future__ import annotations

from discreet.models.latent_class.choice import choose
from discreet.models.latent_class.fitting import fit
from discreet.models.latent_class.model import LatentClassModel
from discreet.models.latent_class.synthesis import LatentClasses, latent_classes, synthesise

__all__ = ["LatentClassModel", "LatentClasses", "choose", "fit", "latent_classes", "synthesise"]
